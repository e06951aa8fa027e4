import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../../../platform/problems.ts';
import type { PublicPages } from '../context.ts';
import { refusalText } from '../refusals.ts';
import { fill, wordsFor, type PublicTexts } from '../words/index.ts';
import type { OpenForm } from './form-page.ts';
import type { Sent } from './sent.ts';

/** What is said of answers that were kept, or why they were not. */
export type Later = { notice: string } | { refusal: string; problem: Problem };

/** Keeps answers as they are, whatever is missing in them, and mails the link by which they are gone on with. */
export async function keepForLater(
  pages: PublicPages,
  request: FastifyRequest,
  reply: FastifyReply,
  { form, token }: OpenForm,
  { answers: data, version, altcha, email }: Sent,
): Promise<Later> {
  const { locale } = form.shown.publicSettings;
  const { words } = wordsFor(locale);
  try {
    const mail = await pages.forms.keep(request, reply, token, { data, version, altcha, email, locale });
    return { notice: mail === 'queued' ? fill(words.draft.kept, { email }) : words.draft.skipped };
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    return { refusal: said(error, words), problem: error };
  }
}

/** Nothing but the address can be wrong: answers are kept as they are. */
function said(problem: Problem, words: PublicTexts): string {
  const [wrong] = problem.code === 'submission_invalid' ? (problem.errors ?? []) : [];
  return wrong ? `${words.draft.email}: ${wrong.reason}` : refusalText(problem, words);
}
