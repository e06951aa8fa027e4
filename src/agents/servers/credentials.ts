import type { MasterKey } from '../../platform/crypto/master-key.ts';
import type { SealedColumn } from '../../platform/database/reseal.ts';

const purpose = 'agent-servers';
type Place = { team: string; id: string; origin: string };
const placeOf = ({ team, id, origin }: Place) => `agent_mcp_server ${team} ${id} ${origin}`;

/** Where what servers are called with stands, sealed: in the row of another server, team or address it opens nothing. */
export const sealedCredentials: SealedColumn = {
  table: 'agent_mcp_server',
  column: 'credential',
  key: { team_id: 'uuid', id: 'uuid', origin: 'text' },
  purpose,
  boundTo: ({ team_id: team = '', id = '', origin = '' }) => placeOf({ team, id, origin }),
};

/** A header and its value. */
export type Credential = { header: string; value: string };
export type Credentials = { seal(place: Place, credential: Credential): Buffer; open(place: Place, sealed: Buffer): Credential };

export function openCredentials(masterKey: MasterKey): Credentials {
  const box = masterKey.box(purpose);
  return {
    seal: (place, credential) => box.seal(JSON.stringify(credential), placeOf(place)),
    open: (place, sealed) => JSON.parse(box.open(sealed, placeOf(place)).toString()) as Credential,
  };
}
