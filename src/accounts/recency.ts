import { problems } from '../platform/problems.ts';

/** How long a sign-in is recent enough for what is sensitive. */
const recentSeconds = 900;

/** How somebody proves again who they are (RFC 8176). */
export type Shown = 'pwd' | 'otp' | 'rc' | 'hwk' | 'swk';

/** When a session last showed anything, and when a second factor. */
export type FactorTimes = { auth_time: string; second_factor_at: string | null };

/**
 * Whether what is sensitive may go on: where there is a second factor, it must have been shown lately. A password proves
 * nothing of it, however strong the session once was. `shown` is what the request itself carries.
 */
export function isRecent(now: Date, session: FactorTimes, hasSecondFactor: boolean, shown: Shown | undefined): boolean {
  if (shown !== undefined && (!hasSecondFactor || shown !== 'pwd')) return true;
  const at = hasSecondFactor ? session.second_factor_at : session.auth_time;
  return at !== null && now.getTime() - Date.parse(at) <= recentSeconds * 1000;
}

/** 401 with the challenge of RFC 9470. */
export function askAgain(how: string, hasSecondFactor: boolean) {
  const strength = hasSecondFactor ? ', acr_values="aal2"' : '';
  return problems.reauthentication_required(`Confirm that it is you: ${how}; then repeat the request.`, {
    headers: { 'www-authenticate': `Bearer error="insufficient_user_authentication", max_age="${recentSeconds}"${strength}` },
  });
}
