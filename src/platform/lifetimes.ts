import { integer, type Setting, setting } from './settings.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Longest life in seconds of an access token: a signing key that was retired stays published that long. */
export const longestTokenSeconds = 15 * minute;

function seconds(help: string, usual: number, least: number, most: number): Setting<number> {
  return setting(`${help}; ${least} to ${most}`, String(usual), integer(least, most));
}

/** How long what people and programs sign in with is good, each in seconds: short ones let an integration be tried in a minute. */
export const lifetimeSettings = {
  ACCESS_TOKEN_SECONDS: seconds(
    'how long an access token is good, a person’s or an API client’s',
    longestTokenSeconds,
    5,
    longestTokenSeconds,
  ),
  SESSION_IDLE_SECONDS: seconds(
    'how long a refresh token is good, and so a session that nobody refreshes; at least ACCESS_TOKEN_SECONDS',
    30 * day,
    5,
    90 * day,
  ),
  SESSION_SECONDS: seconds(
    'how long a session lasts in all, however often it is refreshed; at least SESSION_IDLE_SECONDS',
    90 * day,
    5,
    366 * day,
  ),
  SIGN_IN_CHALLENGE_SECONDS: seconds('how long a sign-in waits for its second factor', 5 * minute, 5, 15 * minute),
  MAILED_CODE_SECONDS: seconds('how long a mailed code is good that confirms an address', 10 * minute, 5, hour),
  RESET_LINK_SECONDS: seconds('how long a mailed link is good that sets a new password', 30 * minute, 5, day),
  INVITATION_SECONDS: seconds('how long an invitation to a team is good', 72 * hour, 5, 30 * day),
} as const;

type LifetimeValues = { [Name in keyof typeof lifetimeSettings]: number };

/** How long each thing is good, in seconds. */
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

/** The sentence that says which lifetimes do not fit together, if any. */
export function lifetimeError(values: LifetimeValues): string | undefined {
  if (values.SESSION_IDLE_SECONDS < values.ACCESS_TOKEN_SECONDS)
    return 'SESSION_IDLE_SECONDS must be at least ACCESS_TOKEN_SECONDS, or access tokens would outlive their session.';
  if (values.SESSION_SECONDS < values.SESSION_IDLE_SECONDS)
    return 'SESSION_SECONDS must be at least SESSION_IDLE_SECONDS: no session is idle for longer than it lasts.';
  return undefined;
}

const units = [
  { size: hour, en: ['hour', 'hours'], de: ['Stunde', 'Stunden'] },
  { size: minute, en: ['minute', 'minutes'], de: ['Minute', 'Minuten'] },
  { size: 1, en: ['second', 'seconds'], de: ['Sekunde', 'Sekunden'] },
] as const;

/** A length of time as a mail says it, in the largest unit that divides it: `10 minutes`, `72 hours`. */
export function inWords(length: number, language: 'en' | 'de' = 'en'): string {
  const unit = units.find(({ size }) => length % size === 0) ?? units[2];
  const count = length / unit.size;
  return `${count} ${unit[language][count === 1 ? 0 : 1]}`;
}
