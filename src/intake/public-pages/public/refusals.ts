import type { Problem } from '../../../platform/problems.ts';
import { cross, dash } from './marks.ts';
import { message } from './messages.ts';
import type { AppWords } from '../app/words/index.ts';
import { fill, type PublicTexts } from './words/index.ts';

/** The words for a refusal: those of public pages, and those of the sign-in. */
type Refusing = { words: PublicTexts; signIn: AppWords['signIn'] };

/** What a page says in place of a form that cannot be shown: its heading, and the title that a tab has and a screen reader begins with. */
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

/** The same as a page shows it. */
export function refusalView(problem: Problem, words: Refusing) {
  return message({ mark: problem.status >= 500 ? cross : dash, tone: 'off', ...refusalOf(problem, words) });
}

/** What is said of a file that was not taken, by the code of the refusal. */
export function uploadErrors({ refused }: PublicTexts): Record<string, string> {
  return {
    payload_too_large: refused.fileTooLarge,
    unsupported_media_type: refused.fileType,
    file_infected: refused.fileInfected,
    unavailable: refused.fileUnscanned,
  };
}

/** What a page says above a form whose answers are kept, when they could not be taken. */
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
