import { PARAMETERS } from "../home/parameter-store.ts";

/** Whose resources the policy is about. */
export interface DeployerScope {
  readonly app: string;
  /** Twelve digits; null for whatever account the policy is attached in. */
  readonly account: string | null;
  /** Null for every region. */
  readonly region: string | null;
}

/** A statement of an identity policy (IAM JSON policy reference). */
export interface PolicyStatement {
  readonly Sid: string;
  readonly Effect: "Allow";
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface PolicyDocument {
  readonly Version: "2012-10-17";
  readonly Statement: readonly PolicyStatement[];
}

/** What physical names keep of an app's name in the shortest case; see engine/physical-name.ts. */
const NAME_KEPT = 4;

/**
 * What whoever deploys the app needs, and little more: resources whose names begin as the app's do, the log groups of
 * its stages, the home and its keys. HTTP APIs and user pools have names that permissions cannot be bound to; they are
 * told apart by their tags where the service looks at them.
 *
 * Who may make roles and functions can give a function any permission: bind the roles with a permissions boundary where
 * that matters.
 */
export function deployerPolicy(scope: DeployerScope): PolicyDocument {
  return {
    Version: "2012-10-17",
    Statement: [...homeStatements(scope), ...nameStatements(scope), ...tagStatements(scope)],
  };
}

function homeStatements({ account, region }: DeployerScope): readonly PolicyStatement[] {
  const bucket = `arn:aws:s3:::scrim-home-${account ?? "*"}-${region ?? "*"}`;
  return [
    {
      Sid: "Home",
      Effect: "Allow",
      Action: [
        "s3:CreateBucket",
        "s3:GetBucketLocation",
        "s3:ListBucket",
        "s3:PutBucketPolicy",
        "s3:PutBucketPublicAccessBlock",
        "s3:PutBucketTagging",
        "s3:PutBucketVersioning",
        "s3:PutLifecycleConfiguration",
      ],
      // Without a region the name ends in a star, which covers both forms.
      Resource: region === null ? [bucket] : [bucket, `${bucket}-an`],
    },
    {
      Sid: "HomesOfAllRegions",
      Effect: "Allow",
      Action: ["s3:ListAllMyBuckets"],
      Resource: ["*"],
    },
    {
      Sid: "State",
      Effect: "Allow",
      Action: ["s3:DeleteObject", "s3:GetObject", "s3:PutObject"],
      Resource: region === null ? [`${bucket}/*`] : [`${bucket}-an/*`, `${bucket}/*`],
    },
    {
      Sid: "Keys",
      Effect: "Allow",
      Action: [
        "ssm:AddTagsToResource",
        "ssm:DeleteParameter",
        "ssm:GetParameter",
        "ssm:GetParametersByPath",
        "ssm:PutParameter",
      ],
      Resource: [regional("ssm", account, region, `parameter${PARAMETERS}*`)],
    },
  ];
}

function nameStatements({ app, account, region }: DeployerScope): readonly PolicyStatement[] {
  const name = `${app.slice(0, NAME_KEPT)}*`;
  const role = `arn:aws:iam::${account ?? "*"}:role/${name}`;
  return [
    {
      Sid: "Functions",
      Effect: "Allow",
      Action: ["lambda:*"],
      Resource: [regional("lambda", account, region, `function:${name}`)],
    },
    {
      Sid: "Roles",
      Effect: "Allow",
      Action: [
        "iam:CreateRole",
        "iam:DeleteRole",
        "iam:DeleteRolePolicy",
        "iam:GetRole",
        "iam:GetRolePolicy",
        "iam:ListAttachedRolePolicies",
        "iam:ListRolePolicies",
        "iam:ListRoleTags",
        "iam:PutRolePolicy",
        "iam:TagRole",
        "iam:UntagRole",
        "iam:UpdateAssumeRolePolicy",
        "iam:UpdateRole",
      ],
      Resource: [role],
    },
    {
      Sid: "RolesOfFunctions",
      Effect: "Allow",
      Action: ["iam:PassRole"],
      Resource: [role],
      Condition: { StringEquals: { "iam:PassedToService": "lambda.amazonaws.com" } },
    },
    {
      Sid: "Buckets",
      Effect: "Allow",
      Action: ["s3:*"],
      Resource: [`arn:aws:s3:::${name.toLowerCase()}`],
    },
    {
      Sid: "Tables",
      Effect: "Allow",
      Action: ["dynamodb:*"],
      Resource: [regional("dynamodb", account, region, `table/${name}`)],
    },
    {
      Sid: "Logs",
      Effect: "Allow",
      Action: ["logs:*"],
      Resource: [
        regional("logs", account, region, `log-group:/scrim/${app}/*`),
        regional("logs", account, region, `log-group:/scrim/${app}/*:*`),
      ],
    },
    {
      Sid: "LogGroups",
      Effect: "Allow",
      Action: ["logs:DescribeLogGroups"],
      Resource: [regional("logs", account, region, "log-group:*")],
    },
  ];
}

function tagStatements({ app, account, region }: DeployerScope): readonly PolicyStatement[] {
  const apis = `arn:aws:apigateway:${region ?? "*"}::`;
  return [
    {
      Sid: "Apis",
      Effect: "Allow",
      Action: ["apigateway:*"],
      Resource: [`${apis}/apis`, `${apis}/apis/*`, `${apis}/tags/*`],
    },
    {
      Sid: "NewUserPools",
      Effect: "Allow",
      Action: [
        "cognito-idp:CreateUserPool",
        "cognito-idp:DescribeUserPoolDomain",
        "cognito-idp:ListUserPools",
      ],
      Resource: ["*"],
    },
    {
      Sid: "UserPools",
      Effect: "Allow",
      Action: ["cognito-idp:*"],
      Resource: [regional("cognito-idp", account, region, "userpool/*")],
      Condition: { StringEquals: { "aws:ResourceTag/scrim:app": app } },
    },
    {
      Sid: "TagsOfUserPools",
      Effect: "Allow",
      Action: ["cognito-idp:TagResource", "cognito-idp:ListTagsForResource"],
      Resource: [regional("cognito-idp", account, region, "userpool/*")],
    },
  ];
}

function regional(service: string, account: string | null, region: string | null, rest: string) {
  return `arn:aws:${service}:${region ?? "*"}:${account ?? "*"}:${rest}`;
}
