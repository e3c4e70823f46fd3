import { join } from "node:path";
import { Sqlite } from "../sqlite/sqlite.ts";
import { GroupTable } from "./groups/group-table.ts";
import { AuthorizationTable } from "./hosted/authorization-table.ts";
import { BrowserSessionTable } from "./hosted/browser-session-table.ts";
import { ClientTable } from "./pools/client-table.ts";
import { PoolTable } from "./pools/pool-table.ts";
import { COGNITO_MIGRATIONS } from "./schema.ts";
import { GrantTable } from "./tokens/grant-table.ts";
import { AttemptTable } from "./users/attempt-table.ts";
import { CodeTable } from "./users/code-table.ts";
import { UserTable } from "./users/user-table.ts";

/** Everything that user pools keep for one stage besides their keys, in one SQLite file. */
export class CognitoStore {
  readonly database: Sqlite;
  readonly pools: PoolTable;
  readonly clients: ClientTable;
  readonly users: UserTable;
  readonly groups: GroupTable;
  readonly codes: CodeTable;
  readonly attempts: AttemptTable;
  readonly grants: GrantTable;
  readonly authorizations: AuthorizationTable;
  readonly browserSessions: BrowserSessionTable;

  constructor(folder: string) {
    this.database = new Sqlite(join(folder, "cognito.sqlite"), COGNITO_MIGRATIONS);
    this.pools = new PoolTable(this.database);
    this.clients = new ClientTable(this.database);
    this.users = new UserTable(this.database);
    this.groups = new GroupTable(this.database);
    this.codes = new CodeTable(this.database);
    this.attempts = new AttemptTable(this.database);
    this.grants = new GrantTable(this.database);
    this.authorizations = new AuthorizationTable(this.database);
    this.browserSessions = new BrowserSessionTable(this.database);
  }

  /** Runs `work` in one durable commit. */
  commit<T>(work: () => T): Promise<T> {
    return this.database.commit(work);
  }

  close(): void {
    this.database.close();
  }
}
