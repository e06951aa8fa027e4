import type { Member, TeamPolicy } from '@chancery/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, type Versioned, versioned } from '../../api.ts';
import { managesTeam } from '../../session/claims.ts';
import { useClaims } from '../../session/use-session.ts';

export type { Member };

export const nameOf = ({ firstName, lastName }: Pick<Member, 'firstName' | 'lastName'>): string => `${firstName} ${lastName}`.trim();

export const readMember = (userId: string): Promise<Versioned<Member>> =>
  versioned(api.GET('/api/v1/team/members/{userId}', { params: { path: { userId } } }));

export const useMember = (userId: string) => useQuery({ queryKey: ['member', userId], queryFn: () => readMember(userId) });

/** Returns a function that shows a changed member in all lists and pages. */
export function useMemberUpdate(): (version: Versioned<Member>) => Promise<void> {
  const client = useQueryClient();
  return async (version) => {
    client.setQueryData(['member', version.data.id], version);
    await client.invalidateQueries({ queryKey: ['member', 'list'] });
  };
}

export const policyKey = ['policy'];
export const readPolicy = (): Promise<Versioned<TeamPolicy>> => versioned(api.GET('/api/v1/team/policy'));

/** The longest time until the end of a guest without a policy, in days. */
export const usualGuestDays = 180;
/** The longest time until the end of a guest, in days. */
export function useGuestDays(): number {
  const { data } = useQuery({ queryKey: policyKey, queryFn: readPolicy, enabled: managesTeam(useClaims()), staleTime: 60_000 });
  return data?.data.guestDaysMax ?? usualGuestDays;
}
