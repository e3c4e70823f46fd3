import type { ResourceHandler } from "../../../../engine/handler.ts";
import type { AwsClients } from "../../client/aws-clients.ts";
import { AWS_TYPES } from "../../types.ts";
import { awsResource, type Found } from "../aws-resource.ts";
import { unless } from "../has-name.ts";
import { stringIn } from "../input-parsers.ts";
import { type Tags, tagList, tagsFor, tagsIn } from "../ownership.ts";
import { roleArn } from "../place.ts";
import { permissionPolicy, trustPolicy } from "./policy-document.ts";

interface RoleThing {
  /** The policy that says who may assume it. */
  readonly trust: string;
}

/** The one inline policy; whatever else is attached to the role was attached by hand. */
const POLICY_NAME = "scrim";
const ABSENT = "NoSuchEntityException";

/**
 * `aws:role`: inputs service (who may assume it), statements (effect, actions, resources); outputs name, arn. A role
 * is updated, never replaced: what was encrypted for a function is bound to its identity.
 */
export function roleHandler(clients: AwsClients): ResourceHandler {
  const sdk = () => import("@aws-sdk/client-iam");
  const outputsOf = (name: string) => ({ name, arn: roleArn(clients, name) });
  const foundOf = (name: string, tags: Tags, trust: string): Found<RoleThing> => ({
    ...{ id: name, tags, pending: null, thing: { trust } },
    outputs: outputsOf(name),
  });
  return awsResource<RoleThing>({
    type: AWS_TYPES.role,
    recovery: "unique-name",
    data: false,
    naming: { maxLength: 64, lowerCase: false },
    consistencyWindowMs: 15_000,
    replaces: () => [],
    predict: outputsOf,
    find: async ({ physicalName, signal }, id) => {
      const { GetRoleCommand } = await sdk();
      const name = id ?? physicalName;
      const answer = await unless(
        (await clients.iam()).send(new GetRoleCommand({ RoleName: name }), { abortSignal: signal }),
        ABSENT,
      );
      const trust = decodeURIComponent(answer?.Role?.AssumeRolePolicyDocument ?? "");
      return answer && foundOf(name, tagsIn(answer.Role?.Tags), trust);
    },
    make: async ({ physicalName, tags, signal }, inputs) => {
      const { CreateRoleCommand } = await sdk();
      const trust = trustPolicy(stringIn(inputs, "service"));
      const made = await unless(
        (await clients.iam()).send(
          new CreateRoleCommand({
            RoleName: physicalName,
            AssumeRolePolicyDocument: trust,
            Tags: tagList(tags),
          }),
          { abortSignal: signal },
        ),
        "EntityAlreadyExistsException",
      );
      return made && foundOf(physicalName, tagsFor(tags), trust);
    },
    converge: async ({ signal }, { id, thing }, inputs, changed) => {
      const { PutRolePolicyCommand, UpdateAssumeRolePolicyCommand } = await sdk();
      const iam = await clients.iam();
      const trust = trustPolicy(stringIn(inputs, "service"));
      if (thing.trust !== trust) {
        const request = { RoleName: id, PolicyDocument: trust };
        await iam.send(new UpdateAssumeRolePolicyCommand(request), { abortSignal: signal });
        changed();
      }
      await iam.send(
        new PutRolePolicyCommand({
          RoleName: id,
          PolicyName: POLICY_NAME,
          PolicyDocument: permissionPolicy(inputs["statements"]),
        }),
        { abortSignal: signal },
      );
      changed();
      return null;
    },
    erase: async ({ signal }, { id }, changed) => {
      const { DeleteRoleCommand, DeleteRolePolicyCommand } = await sdk();
      const iam = await clients.iam();
      const policy = { RoleName: id, PolicyName: POLICY_NAME };
      await unless(iam.send(new DeleteRolePolicyCommand(policy), { abortSignal: signal }), ABSENT);
      changed();
      await unless(
        iam.send(new DeleteRoleCommand({ RoleName: id }), { abortSignal: signal }),
        ABSENT,
      );
      return null;
    },
  });
}
