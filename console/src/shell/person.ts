import { useQuery } from '@tanstack/react-query';
import { api, ok } from '../api.ts';
import { useClaims } from '../session/use-session.ts';

/** The profile of the signed-in person. */
export const useProfile = () => {
  const { sub } = useClaims();
  return useQuery({ queryKey: ['profile', sub], queryFn: () => ok(api.GET('/api/v1/security/auth/profile')), staleTime: 60_000 });
};

/** The teams of the person, with the one of this tab. */
export const useTeams = () => {
  const { sub, team } = useClaims();
  return useQuery({ queryKey: ['teams', sub, team], queryFn: () => ok(api.GET('/api/v1/security/auth/teams')), staleTime: 60_000 });
};
