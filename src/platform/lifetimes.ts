import { integer, type Setting, setting } from './settings.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Maximum lifetime of an access token, in seconds. A retired signing key stays published for this time. */
export const longestTokenSeconds = 15 * minute;

function seconds(help: string, usual: number, least: number, most: number): Setting<number> {
  return setting(`${help}; ${least} to ${most}`, String(usual), integer(least, most));
}

/** Lifetimes of credentials in seconds. The minimum of 5 seconds lets integrators test expiry quickly. */
export const lifetimeSettings = {
  ACCESS_TOKEN_SECONDS: seconds('lifetime of an access token of a user or an API client', longestTokenSeconds, 5, longestTokenSeconds),
  SESSION_IDLE_SECONDS: seconds(
    'lifetime of a refresh token, and so of a session that is not refreshed; at least ACCESS_TOKEN_SECONDS',
    30 * day,
    5,
    90 * day,
  ),
  SESSION_SECONDS: seconds('maximum lifetime of a session, including refreshes; at least SESSION_IDLE_SECONDS', 90 * day, 5, 366 * day),
  SIGN_IN_CHALLENGE_SECONDS: seconds('time to enter the second factor during a sign-in', 5 * minute, 5, 15 * minute),
  MAILED_CODE_SECONDS: seconds('lifetime of an emailed code that confirms an email address', 10 * minute, 5, hour),
  RESET_LINK_SECONDS: seconds('lifetime of an emailed link that sets a new password', 30 * minute, 5, day),
  INVITATION_SECONDS: seconds('lifetime of an invitation to a team', 72 * hour, 5, 30 * day),
} as const;

type LifetimeValues = { [Name in keyof typeof lifetimeSettings]: number };

/** Lifetimes in seconds. */
export type Lifetimes = {
  accessToken: number;
  sessionIdle: number;
  session: number;
  challenge: number;
  mailedCode: number;
  resetLink: number;
  invitation: number;
};

export function lifetimesOf(values: LifetimeValues): Lifetimes {
  return {
    accessToken: values.ACCESS_TOKEN_SECONDS,
    sessionIdle: values.SESSION_IDLE_SECONDS,
    session: values.SESSION_SECONDS,
    challenge: values.SIGN_IN_CHALLENGE_SECONDS,
    mailedCode: values.MAILED_CODE_SECONDS,
    resetLink: values.RESET_LINK_SECONDS,
    invitation: values.INVITATION_SECONDS,
  };
}

/** Returns an error message if the lifetimes contradict each other. */
export function lifetimeError(values: LifetimeValues): string | undefined {
  if (values.SESSION_IDLE_SECONDS < values.ACCESS_TOKEN_SECONDS)
    return 'SESSION_IDLE_SECONDS must be at least ACCESS_TOKEN_SECONDS. Otherwise access tokens outlive their session.';
  if (values.SESSION_SECONDS < values.SESSION_IDLE_SECONDS)
    return 'SESSION_SECONDS must be at least SESSION_IDLE_SECONDS. A session cannot be idle longer than it lasts.';
  return undefined;
}

const units = [
  { size: hour, en: ['hour', 'hours'], de: ['Stunde', 'Stunden'] },
  { size: minute, en: ['minute', 'minutes'], de: ['Minute', 'Minuten'] },
  { size: 1, en: ['second', 'seconds'], de: ['Sekunde', 'Sekunden'] },
] as const;

/** Returns a duration in words, in the largest unit that divides it: `10 minutes`, `72 hours`. */
export function inWords(length: number, language: 'en' | 'de' = 'en'): string {
  const unit = units.find(({ size }) => length % size === 0) ?? units[2];
  const count = length / unit.size;
  return `${count} ${unit[language][count === 1 ? 0 : 1]}`;
}
