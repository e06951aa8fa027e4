import type { Matter, MatterClient } from '@chancery/client';
import { useQuery } from '@tanstack/react-query';
import { api, ok, type Versioned, versioned } from '../../api.ts';
import { type Claims, managesTeam } from '../../session/claims.ts';
import { useClaims } from '../../session/use-session.ts';

export const readMatter = (id: string): Promise<Versioned<Matter>> =>
  versioned(api.GET('/api/v1/matters/{id}', { params: { path: { id } } }));

/** Whether the person may share a matter, close it, and change its barrier and its responsible person. */
export const managesMatter = (claims: Claims, { responsibleId }: Matter): boolean =>
  claims.scopes.has('matters:write') && (managesTeam(claims) || responsibleId === claims.sub);

/** Guests and auditors see no clients of the team. */
const seesClients = ({ role }: Claims) => role !== 'guest' && role !== 'auditor';
/** The clients whose names one request reads. */
const maxClients = 500;

/** The clients of the team whose name contains a text. */
export const useClients = (q = '') => {
  const claims = useClaims();
  return useQuery({
    queryKey: ['matter_client', 'list', q],
    queryFn: () => ok(api.GET('/api/v1/matter-clients/', { params: { query: { limit: maxClients, ...(q === '' ? {} : { q }) } } })),
    enabled: seesClients(claims),
    staleTime: 60_000,
  });
};

/** The client of a matter. One request reads those of a whole list. */
export function useClient(id: string | undefined): MatterClient | undefined {
  const claims = useClaims();
  const listed = useClients();
  const known = listed.data?.find((one) => one.id === id);
  const { data } = useQuery({
    queryKey: ['matter_client', id],
    queryFn: () => ok(api.GET('/api/v1/matter-clients/{id}', { params: { path: { id: id ?? '' } } })),
    enabled: id !== undefined && seesClients(claims) && listed.isSuccess && known === undefined,
    staleTime: 60_000,
  });
  return known ?? data;
}
