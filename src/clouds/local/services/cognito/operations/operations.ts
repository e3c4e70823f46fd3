import * as adminUsers from "./admin-users.ts";
import * as describePool from "./describe-pool.ts";
import * as groups from "./groups.ts";
import { adminInitiateAuth, initiateAuth } from "./initiate-auth.ts";
import { listUsers } from "./list-users.ts";
import type { Operation } from "./operation.ts";
import * as own from "./own-account.ts";
import * as reset from "./reset-password.ts";
import { adminRespondToAuthChallenge, respondToAuthChallenge } from "./respond-to-challenge.ts";
import { revokeToken } from "./revoke-token.ts";
import * as signUp from "./sign-up.ts";

/** Every operation there is, by the API's name. docs/reference/local-cognito.md lists them. */
export const OPERATIONS: ReadonlyMap<string, Operation> = new Map(
  Object.entries({
    SignUp: signUp.signUp,
    ConfirmSignUp: signUp.confirmSignUp,
    ResendConfirmationCode: signUp.resendConfirmationCode,
    ForgotPassword: reset.forgotPassword,
    ConfirmForgotPassword: reset.confirmForgotPassword,
    InitiateAuth: initiateAuth,
    RespondToAuthChallenge: respondToAuthChallenge,
    RevokeToken: revokeToken,
    GetUser: own.getUser,
    UpdateUserAttributes: own.updateUserAttributes,
    DeleteUserAttributes: own.deleteUserAttributes,
    GetUserAttributeVerificationCode: own.getUserAttributeVerificationCode,
    VerifyUserAttribute: own.verifyUserAttribute,
    ChangePassword: own.changePassword,
    DeleteUser: own.deleteUser,
    GlobalSignOut: own.globalSignOut,
    AdminInitiateAuth: adminInitiateAuth,
    AdminRespondToAuthChallenge: adminRespondToAuthChallenge,
    AdminCreateUser: adminUsers.adminCreateUser,
    AdminGetUser: adminUsers.adminGetUser,
    AdminDeleteUser: adminUsers.adminDeleteUser,
    AdminConfirmSignUp: adminUsers.adminConfirmSignUp,
    AdminUpdateUserAttributes: adminUsers.adminUpdateUserAttributes,
    AdminDeleteUserAttributes: adminUsers.adminDeleteUserAttributes,
    AdminEnableUser: adminUsers.adminEnableUser,
    AdminDisableUser: adminUsers.adminDisableUser,
    AdminSetUserPassword: adminUsers.adminSetUserPassword,
    AdminResetUserPassword: reset.adminResetUserPassword,
    AdminUserGlobalSignOut: adminUsers.adminUserGlobalSignOut,
    ListUsers: listUsers,
    CreateGroup: groups.createGroup,
    UpdateGroup: groups.updateGroup,
    GetGroup: groups.getGroup,
    DeleteGroup: groups.deleteGroup,
    ListGroups: groups.listGroups,
    ListUsersInGroup: groups.listUsersInGroup,
    AdminAddUserToGroup: groups.adminAddUserToGroup,
    AdminRemoveUserFromGroup: groups.adminRemoveUserFromGroup,
    AdminListGroupsForUser: groups.adminListGroupsForUser,
    DescribeUserPool: describePool.describeUserPool,
    DescribeUserPoolClient: describePool.describeUserPoolClient,
    ListUserPools: describePool.listUserPools,
    ListUserPoolClients: describePool.listUserPoolClients,
  }),
);
