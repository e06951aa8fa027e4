import type { Problem } from '../../../platform/problems.ts';
import { cross, dash } from './marks.ts';
import { message } from './messages.ts';
import type { AppWords } from '../app/words/index.ts';
import { fill, type PublicTexts } from './words/index.ts';

/** The error texts of public pages and of the sign-in. */
type Refusing = { words: PublicTexts; signIn: AppWords['signIn'] };

/** Returns the title and text of an error page. */
export function refusalOf(problem: Problem, { words, signIn }: Refusing): { title: string; text: string } {
  const { refused } = words;
  const said: Record<string, { title: string; text: string }> = {
    not_found: { title: refused.gone, text: refused.goneText },
    interface_not_found: { title: refused.gone, text: refused.goneText },
    interface_closed: { title: refused.closed, text: refused.closedText },
    calendar_missing: { title: refused.closed, text: refused.closedText },
    interface_full: { title: refused.full, text: refused.fullText },
    submission_not_pending: { title: refused.gone, text: refused.goneText },
    no_submission_session: { title: refused.gone, text: refused.goneText },
    booking_not_found: { title: words.booking.gone, text: words.booking.goneText },
    cross_origin_refused: { title: refused.crossOrigin, text: refused.crossOriginText },
    rate_limited: { title: refused.other, text: fill(refused.often, { seconds: problem.headers['retry-after'] ?? '60' }) },
  };
  const isServerError = problem.status >= 500;
  const ofSignIn = problem.code.startsWith('sso_') && Object.entries(signIn.problems).find(([code]) => code === problem.code)?.[1];
  if (ofSignIn) return { title: signIn.title, text: ofSignIn };
  return (
    said[problem.code] ?? {
      title: isServerError ? refused.brokenTitle : refused.other,
      text: isServerError ? refused.brokenText : problem.detail,
    }
  );
}

/** Builds an error page. */
export function refusalView(problem: Problem, words: Refusing) {
  return message({ mark: problem.status >= 500 ? cross : dash, tone: 'off', ...refusalOf(problem, words) });
}

/** Returns the error texts of uploads, by problem code. */
export function uploadErrors({ refused }: PublicTexts): Record<string, string> {
  return {
    payload_too_large: refused.fileTooLarge,
    unsupported_media_type: refused.fileType,
    file_infected: refused.fileInfected,
    unavailable: refused.fileUnscanned,
  };
}

/** Returns the error text above a form whose answers are kept. */
export function refusalText(problem: Problem, { refused, booking }: PublicTexts): string {
  const said: Record<string, string> = {
    rate_limited: fill(refused.tooMany, { seconds: problem.headers['retry-after'] ?? '60' }),
    version_superseded: refused.superseded,
    idempotency_key_reused: refused.sentBefore,
    slot_taken: booking.taken,
    slot_not_offered: booking.notOffered,
    payload_too_large: refused.tooLarge,
    altcha_required: refused.unproven,
    altcha_invalid: refused.unproven,
    altcha_expired: refused.unproven,
    altcha_already_used: refused.unproven,
  };
  return said[problem.code] ?? (problem.status >= 500 ? refused.broken : problem.detail);
}
