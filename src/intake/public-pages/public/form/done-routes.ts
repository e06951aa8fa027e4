import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SessionOutcome } from '#forms';
import { type Html, html } from '../../../../platform/http/html.ts';
import { answerPage } from '../answer.ts';
import { bookedView, pathIn } from '../booking/booking-view.ts';
import { knownZone } from '../booking/days.ts';
import type { PublicPages } from '../context.ts';
import { tick } from '../marks.ts';
import { message, pressed } from '../messages.ts';
import { requireSameOrigin } from '../same-origin.ts';
import { type PublicTexts, wordsFor } from '../words/index.ts';
import { doneView } from './done-view.ts';
import { type OpenForm, pageOfForm, pathOf } from './form-page.ts';

/** Shows the result of a submission to its browser. `session` is a new session that the browser has not sent yet. */
export async function answerDone(
  pages: PublicPages,
  request: FastifyRequest,
  reply: FastifyReply,
  open: OpenForm,
  { session, zone }: { session?: string | undefined; zone?: string | undefined } = {},
): Promise<FastifyReply> {
  const { publicSettings: settings } = open.form.shown;
  const { words } = wordsFor(settings.locale);
  const path = pathOf(pages, open.token);
  const outcome = await pages.forms.outcome(request, open.token, session);
  if (outcome?.booking) return answerPage(reply, pages.assets, pageOfForm(pages, open, bookedOf(open, outcome.booking, path, words, zone)));
  const { redirectUrl } = open.form.settings;
  const operations = `${pages.base}/api/v1/interfaces/public/${open.token}`;
  const { submissionId, pdf } = outcome ?? {};
  const body = doneView({ path, operations, submissionId, pdf, message: settings.successMessage, redirectUrl }, words);
  return answerPage(reply, pages.assets, pageOfForm(pages, open, body));
}

function bookedOf(
  { form: { shown } }: OpenForm,
  booking: NonNullable<SessionOutcome['booking']>,
  path: string,
  words: PublicTexts,
  zone?: string,
): Html {
  const { start, end, status, icsUrl, manageUrl } = booking;
  const own = knownZone(zone, shown.calendar?.timeZone ?? 'UTC');
  const after = html`<div data-sent="${path}"></div>
    <div class="actions">${pressed(`${path}/finish`, words.done.finish)}</div>
    <p class="soft">${words.done.finishHint}</p>`;
  return bookedView(
    { path, start, end, zone: own, locale: shown.publicSettings.locale, status, icsUrl: icsUrl && pathIn(icsUrl) },
    words,
    manageUrl && `${pathIn(manageUrl)}?${new URLSearchParams({ locale: shown.publicSettings.locale }).toString()}`,
    after,
  );
}

/** Deletes the session of the submission in the browser. */
export async function finish(pages: PublicPages, request: FastifyRequest, reply: FastifyReply, open: OpenForm): Promise<FastifyReply> {
  requireSameOrigin(request);
  const { words } = wordsFor(open.form.shown.publicSettings.locale);
  await pages.forms.finish(request, reply, open.token);
  const more = html`<p class="actions"><a class="button second" href="${pathOf(pages, open.token)}">${words.done.again}</a></p>`;
  const body = message({ mark: tick, title: words.done.cleared, text: words.done.clearedText, more });
  return answerPage(reply, pages.assets, pageOfForm(pages, open, body));
}
