import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../../../platform/problems.ts';
import type { PublicPages } from '../context.ts';
import { refusalText } from '../refusals.ts';
import { fill, wordsFor, type PublicTexts } from '../words/index.ts';
import type { OpenForm } from './form-page.ts';
import type { SubmittedForm } from './sent.ts';

/** The notice that a draft was saved, or the error. */
export type Later = { notice: string } | { refusal: string; problem: Problem };

/** Saves incomplete answers as a draft, and mails a link to continue. */
export async function saveForLater(
  pages: PublicPages,
  request: FastifyRequest,
  reply: FastifyReply,
  { form, token }: OpenForm,
  { answers: data, version, altcha, email }: SubmittedForm,
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

/** Only the e-mail address can be invalid, because a draft is stored without validation. */
function said(problem: Problem, words: PublicTexts): string {
  const [wrong] = problem.code === 'submission_invalid' ? (problem.errors ?? []) : [];
  return wrong ? `${words.draft.email}: ${wrong.reason}` : refusalText(problem, words);
}
