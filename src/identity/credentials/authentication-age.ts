import { problems } from '../../platform/problems.ts';

/** How long a sign-in is recent enough for what is sensitive. */
const recentSeconds = 900;

/** How somebody proves again who they are (RFC 8176). */
export type AuthMethod = 'pwd' | 'otp' | 'rc' | 'hwk' | 'swk';

/** When a session last showed anything, and when a second factor. */
export type FactorTimes = { auth_time: string; second_factor_at: string | null };

/**
 * Whether what is sensitive may go on: where there is a second factor, it must have been shown lately. A password proves
 * nothing of it, however strong the session once was. `shown` is what the request itself carries.
 */
function isRecent(now: Date, session: FactorTimes, hasSecondFactor: boolean, shown: AuthMethod | undefined): boolean {
  if (shown !== undefined && (!hasSecondFactor || shown !== 'pwd')) return true;
  const at = hasSecondFactor ? session.second_factor_at : session.auth_time;
  return at !== null && now.getTime() - Date.parse(at) <= recentSeconds * 1000;
}

/**
 * Refuses what is sensitive where nothing was shown lately that counts. `how` says where and with what to show it. Errors: 401
 * `reauthentication_required`, with the challenge of RFC 9470.
 */
export function requireRecent(
  now: Date,
  session: FactorTimes,
  hasSecondFactor: boolean,
  shown: AuthMethod | undefined,
  how: (hasSecondFactor: boolean) => string,
): void {
  if (isRecent(now, session, hasSecondFactor, shown)) return;
  const strength = hasSecondFactor ? ', acr_values="aal2"' : '';
  throw problems.reauthentication_required(`Confirm that it is you: ${how(hasSecondFactor)}; then repeat the request.`, {
    headers: { 'www-authenticate': `Bearer error="insufficient_user_authentication", max_age="${recentSeconds}"${strength}` },
  });
}

/** What a session is worth once something more was shown on it. */
export function raisedBy(session: { amr: readonly string[]; acr: string }, shown: AuthMethod): { amr: string[]; acr: string } {
  return { amr: [...new Set([...session.amr, shown])], acr: shown === 'pwd' ? session.acr : 'aal2' };
}
