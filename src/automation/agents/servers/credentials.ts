import type { MasterKey } from '../../../platform/crypto/master-key.ts';
import type { SealedColumn } from '../../../platform/database/reencrypt.ts';

type CredentialBinding = { team: string; id: string; origin: string };

/** A header and its value. */
export type Header = { header: string; value: string };
/** A program of this service as an authorization server knows it. */
export type ClientOfServer = { client_id: string; client_secret?: string };
/** What came of signing in: the tokens, and what new ones are asked for with. Times are Unix milliseconds. */
export type Grant = {
  issuer: string;
  tokenEndpoint: string;
  /** Where it is told that tokens are given back (RFC 7009), as far as it says so. */
  revocationEndpoint?: string;
  /** How the authorization server says that programs show who they are. */
  methods?: string[];
  client: ClientOfServer;
  resource: string;
  accessToken: string;
  refreshToken?: string;
  expiresAt?: number;
};
/** What a server is called with. */
export type Credential = Header | { grant: Grant };

/** What the answer to a sign-in that was begun is exchanged with. */
export type BegunSignIn = Omit<Grant, 'accessToken' | 'refreshToken' | 'expiresAt'> & {
  url: string;
  verifier: string;
  scope?: string;
  /** The authorization server says that its answers name it (RFC 9207). */
  namesItself: boolean;
};

type Sealing<T> = { seal(place: CredentialBinding, value: T): Buffer; open(place: CredentialBinding, sealed: Buffer): T };
export type Credentials = Sealing<Credential> & { begun: Sealing<BegunSignIn> };

const column = (table: string, name: string, id: string, purpose: string) => {
  const placeOf = ({ team, id: of, origin }: CredentialBinding) => `${table} ${team} ${of} ${origin}`;
  const sealed: SealedColumn = {
    table,
    column: name,
    key: { team_id: 'uuid', [id]: 'uuid', origin: 'text' },
    purpose,
    boundTo: (row) => placeOf({ team: row.team_id ?? '', id: row[id] ?? '', origin: row.origin ?? '' }),
  };
  const open = <T>(masterKey: MasterKey): Sealing<T> => {
    const box = masterKey.box(purpose);
    return {
      seal: (place, value) => box.seal(JSON.stringify(value), placeOf(place)),
      open: (place, kept) => JSON.parse(box.open(kept, placeOf(place)).toString()) as T,
    };
  };
  return { sealed, open };
};

const credential = column('agent_mcp_server', 'credential', 'id', 'agent-servers');
const begun = column('agent_mcp_sign_in', 'begun', 'server_id', 'agent-sign-ins');

/** Where what servers are called with stands, sealed: in the row of another server, team or address it opens nothing. */
export const sealedCredentials: readonly SealedColumn[] = [credential.sealed, begun.sealed];

export const openCredentials = (masterKey: MasterKey): Credentials => ({
  ...credential.open<Credential>(masterKey),
  begun: begun.open<BegunSignIn>(masterKey),
});
