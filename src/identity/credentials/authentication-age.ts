import { problems } from '../../platform/problems.ts';

/** Maximum age of a sign-in, in seconds, for sensitive operations. */
const recentSeconds = 900;

/** An authentication method (RFC 8176) that a user can confirm their identity with. */
export type AuthMethod = 'pwd' | 'otp' | 'rc' | 'hwk' | 'swk';

/** The times of a session’s last authentication and of its last second factor. */
export type FactorTimes = { auth_time: string; second_factor_at: string | null };

/**
 * Whether a sensitive operation is allowed. With a second factor, that factor must be recent: a password does not count, even in a session of a
 * higher level. `shown` is the method that the request itself contains.
 */
function isRecent(now: Date, session: FactorTimes, hasSecondFactor: boolean, shown: AuthMethod | undefined): boolean {
  if (shown !== undefined && (!hasSecondFactor || shown !== 'pwd')) return true;
  const at = hasSecondFactor ? session.second_factor_at : session.auth_time;
  return at !== null && now.getTime() - Date.parse(at) <= recentSeconds * 1000;
}

/**
 * Rejects a sensitive operation without a recent authentication. `how` returns the instruction to confirm the identity,
 * for the error text. Throws 401 `reauthentication_required`, with the challenge of RFC 9470.
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
  throw problems.reauthentication_required(`Confirm your identity: ${how(hasSecondFactor)}; then repeat the request.`, {
    headers: { 'www-authenticate': `Bearer error="insufficient_user_authentication", max_age="${recentSeconds}"${strength}` },
  });
}

/** Returns the methods and the assurance level of a session after another method was verified. */
export function raisedBy(session: { amr: readonly string[]; acr: string }, shown: AuthMethod): { amr: string[]; acr: string } {
  return { amr: [...new Set([...session.amr, shown])], acr: shown === 'pwd' ? session.acr : 'aal2' };
}
