import type { ResourceHandler } from "../../../../engine/handler.ts";
import type { AwsClients } from "../../client/aws-clients.ts";
import { AWS_TYPES } from "../../types.ts";
import { awsResource, type Found } from "../aws-resource.ts";
import { unless } from "../has-name.ts";
import { stringIn } from "../input-parsers.ts";
import { type Tags, tagList, tagsFor, tagsIn } from "../ownership.ts";
import { roleArn } from "../place.ts";
import { permissionPolicy, statementsOf, trustPolicy } from "./policy-document.ts";

interface RoleThing {
  /** The policy that says who may assume it. */
  readonly trust: string;
  /** What it may do; null when it has not been told. */
  readonly policy: string | null;
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
  const foundOf = (name: string, tags: Tags, thing: RoleThing): Found<RoleThing> => ({
    ...{ id: name, tags, pending: null, thing, outputs: outputsOf(name) },
    // One without a policy may do nothing, whatever is recorded.
    inputs: { statements: thing.policy === null ? [] : statementsOf(thing.policy) },
  });
  const policyOf = async (RoleName: string, abortSignal: AbortSignal): Promise<string | null> => {
    const { GetRolePolicyCommand } = await sdk();
    const request = new GetRolePolicyCommand({ RoleName, PolicyName: POLICY_NAME });
    const answer = await unless((await clients.iam()).send(request, { abortSignal }), ABSENT);
    return answer === null ? null : decodeURIComponent(answer.PolicyDocument ?? "");
  };
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
      if (answer === null) return null;
      const trust = decodeURIComponent(answer.Role?.AssumeRolePolicyDocument ?? "");
      const policy = await policyOf(name, signal);
      return foundOf(name, tagsIn(answer.Role?.Tags), { trust, policy });
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
      return made && foundOf(physicalName, tagsFor(tags), { trust, policy: null });
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
      const policy = permissionPolicy(inputs["statements"]);
      if (thing.policy === policy) return null;
      const request = { RoleName: id, PolicyName: POLICY_NAME, PolicyDocument: policy };
      await iam.send(new PutRolePolicyCommand(request), { abortSignal: signal });
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
