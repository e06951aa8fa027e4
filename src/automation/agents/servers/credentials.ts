import type { MasterKey } from '../../../platform/crypto/master-key.ts';
import type { SealedColumn } from '../../../platform/database/reencrypt.ts';

type CredentialBinding = { team: string; id: string; origin: string };

/** A header and its value. */
export type Header = { header: string; value: string };
/** The registration of this service at an authorization server. */
export type ClientOfServer = { client_id: string; client_secret?: string };
/** The result of a sign-in: the tokens, and the data to renew them. Times are Unix milliseconds. */
export type Grant = {
  issuer: string;
  tokenEndpoint: string;
  /** The address to revoke tokens (RFC 7009), if the authorization server has one. */
  revocationEndpoint?: string;
  /** The client authentication methods of the authorization server. */
  methods?: string[];
  client: ClientOfServer;
  resource: string;
  accessToken: string;
  refreshToken?: string;
  expiresAt?: number;
};
/** The credential of the calls to a server. */
export type Credential = Header | { grant: Grant };

/** The data of a started sign-in, to exchange its code. */
export type BegunSignIn = Omit<Grant, 'accessToken' | 'refreshToken' | 'expiresAt'> & {
  url: string;
  verifier: string;
  scope?: string;
  /** Whether responses of the authorization server contain its issuer (RFC 9207). */
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

/** The encrypted columns with credentials. A value cannot be decrypted in the row of another server, team or address. */
export const sealedCredentials: readonly SealedColumn[] = [credential.sealed, begun.sealed];

export const openCredentials = (masterKey: MasterKey): Credentials => ({
  ...credential.open<Credential>(masterKey),
  begun: begun.open<BegunSignIn>(masterKey),
});
