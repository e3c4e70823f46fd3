/**
 * Everything of one stage's user pools. Times are milliseconds since the epoch, 0 for none.
 * `logins` says who signs in with an email address, phone number or preferred name; a grant is what
 * one sign-in gave, of which a refresh token makes new tokens; `attempts` counts failures that
 * bring waiting times. Refresh tokens, authorization codes and browser sessions stand as SHA-256
 * only.
 */
export const COGNITO_MIGRATIONS: readonly string[] = [
  `CREATE TABLE pools(
     id TEXT PRIMARY KEY,
     name TEXT NOT NULL UNIQUE,
     spec TEXT NOT NULL,
     created_ms INTEGER NOT NULL,
     modified_ms INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE clients(
     id TEXT PRIMARY KEY,
     name TEXT NOT NULL UNIQUE,
     pool TEXT NOT NULL,
     spec TEXT NOT NULL,
     secret TEXT,
     created_ms INTEGER NOT NULL,
     modified_ms INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE users(
     pool TEXT NOT NULL,
     username TEXT NOT NULL,
     status TEXT NOT NULL,
     enabled INTEGER NOT NULL,
     attributes TEXT NOT NULL,
     password_hash TEXT,
     srp_salt TEXT,
     srp_verifier TEXT,
     temporary_until_ms INTEGER NOT NULL,
     created_ms INTEGER NOT NULL,
     modified_ms INTEGER NOT NULL,
     PRIMARY KEY(pool, username)
   ) STRICT;
   CREATE TABLE logins(
     pool TEXT NOT NULL,
     login TEXT NOT NULL,
     username TEXT NOT NULL,
     PRIMARY KEY(pool, login)
   ) STRICT;
   CREATE INDEX logins_by_user ON logins(pool, username);
   CREATE TABLE groups(
     pool TEXT NOT NULL,
     name TEXT NOT NULL,
     description TEXT NOT NULL,
     precedence INTEGER NOT NULL,
     role_arn TEXT NOT NULL,
     created_ms INTEGER NOT NULL,
     modified_ms INTEGER NOT NULL,
     PRIMARY KEY(pool, name)
   ) STRICT;
   CREATE TABLE members(
     pool TEXT NOT NULL,
     group_name TEXT NOT NULL,
     username TEXT NOT NULL,
     PRIMARY KEY(pool, group_name, username)
   ) STRICT;
   CREATE INDEX members_by_user ON members(pool, username);
   CREATE TABLE codes(
     pool TEXT NOT NULL,
     username TEXT NOT NULL,
     purpose TEXT NOT NULL,
     code TEXT NOT NULL,
     expires_ms INTEGER NOT NULL,
     PRIMARY KEY(pool, username, purpose)
   ) STRICT;
   CREATE TABLE grants(
     id TEXT PRIMARY KEY,
     pool TEXT NOT NULL,
     client TEXT NOT NULL,
     username TEXT NOT NULL,
     refresh_hash TEXT NOT NULL UNIQUE,
     scopes TEXT NOT NULL,
     nonce TEXT,
     auth_ms INTEGER NOT NULL,
     expires_ms INTEGER NOT NULL,
     revoked INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX grants_by_user ON grants(pool, username);
   CREATE INDEX grants_by_time ON grants(expires_ms);
   CREATE TABLE authorizations(
     code_hash TEXT PRIMARY KEY,
     pool TEXT NOT NULL,
     client TEXT NOT NULL,
     username TEXT NOT NULL,
     redirect_uri TEXT NOT NULL,
     scopes TEXT NOT NULL,
     nonce TEXT,
     challenge TEXT,
     auth_ms INTEGER NOT NULL,
     expires_ms INTEGER NOT NULL,
     grant_id TEXT
   ) STRICT;
   CREATE INDEX authorizations_by_time ON authorizations(expires_ms);
   CREATE TABLE browser_sessions(
     token_hash TEXT PRIMARY KEY,
     pool TEXT NOT NULL,
     username TEXT NOT NULL,
     auth_ms INTEGER NOT NULL,
     expires_ms INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX browser_sessions_by_time ON browser_sessions(expires_ms);
   CREATE TABLE attempts(
     pool TEXT NOT NULL,
     kind TEXT NOT NULL,
     subject TEXT NOT NULL,
     failures INTEGER NOT NULL,
     until_ms INTEGER NOT NULL,
     PRIMARY KEY(pool, kind, subject)
   ) STRICT;
   CREATE INDEX attempts_by_time ON attempts(until_ms)`,
];
