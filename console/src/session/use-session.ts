import { useSyncExternalStore } from 'react';
import type { Claims } from './claims.ts';
import { session, type SessionState } from './session.ts';

export const useSession = (): SessionState => useSyncExternalStore(session.subscribe, () => session.state);

/** The claims of the signed-in person. Screens of the shell are only shown to a signed-in person. */
export function useClaims(): Claims {
  const state = useSession();
  if (state.status !== 'signed in') throw new Error('No person is signed in.');
  return state.claims;
}
