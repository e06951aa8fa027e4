import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { messageLocales } from '#fields';
import { maxText, type Report, reportReasons } from '#forms';
import type { App } from '../../../../platform/http/server.ts';
import { Problem } from '../../../../platform/problems.ts';
import { ownLocale, ownPage, type PublicPages } from '../context.ts';
import { requireSameOrigin } from '../same-origin.ts';
import { readForm } from '../sent-form.ts';
import { fill, wordsFor } from '../words/index.ts';
import { type Reporting, reportedView, reportView } from './report-view.ts';

const config = { access: { kind: 'link' } } as const;
const token = Type.String({ maxLength: 200 });
const formPath = { hide: true, params: Type.Object({ token }) };
const bookingPath = { hide: true, params: Type.Object({ teamId: Type.String({ maxLength: 64 }), token }) };

/** The reported form, the title of its page, and the path of the report page. */
type Reported = { about: { team: string; id: string }; title: string; path: string };

/** The pages to report a form or booking page to the staff. They have the brand of the service and cannot be framed. */
export function reportPageRoutes(app: App, pages: PublicPages): void {
  const ofForm = async (request: FastifyRequest, given: string): Promise<Reported> => {
    // Closed and full forms can be reported too.
    const { team, shown } = await pages.forms.show(request, given, { locale: ownLocale(request), closed: true });
    return { about: { team, id: shown.id }, title: shown.title, path: `/f/${given}/report` };
  };
  const ofBooking = async (request: FastifyRequest, link: { teamId: string; token: string }): Promise<Reported> => {
    const [about, { title }] = [await pages.bookings.about(request, link), await pages.bookings.show(request, link, ownLocale(request))];
    const { words } = wordsFor(ownLocale(request));
    return { about, title: title ?? words.booking.yours, path: `/booking/${link.teamId}/${link.token}/report` };
  };
  app.get('/f/:token/report', { config, schema: formPath }, async (request, reply) =>
    show(pages, request, reply, await ofForm(request, request.params.token)),
  );
  app.post('/f/:token/report', { config, schema: formPath }, async (request, reply) =>
    take(pages, request, reply, await ofForm(request, request.params.token)),
  );
  app.get('/booking/:teamId/:token/report', { config, schema: bookingPath }, async (request, reply) =>
    show(pages, request, reply, await ofBooking(request, request.params)),
  );
  app.post('/booking/:teamId/:token/report', { config, schema: bookingPath }, async (request, reply) =>
    take(pages, request, reply, await ofBooking(request, request.params)),
  );
}

function show(
  pages: PublicPages,
  request: FastifyRequest,
  reply: FastifyReply,
  { title, path }: Reported,
  progress: Partial<Reporting> = {},
): FastifyReply {
  const locale = ownLocale(request, progress.locale);
  const { words } = wordsFor(locale);
  const { sent } = request.query as { sent?: unknown };
  const body = sent === undefined ? reportView({ ...progress, path: `${pages.base}${path}`, locale, title }, words) : reportedView(words);
  return ownPage(pages, request, reply, {
    locale,
    title: words.reporting.title,
    body,
    path,
    languages: { locales: messageLocales, form: false },
  });
}

async function take(pages: PublicPages, request: FastifyRequest, reply: FastifyReply, reported: Reported): Promise<FastifyReply> {
  requireSameOrigin(request);
  const entries = await readForm(request, async ({ file }) => void file.resume());
  const one = (name: string) => entries.findLast(([given]) => given === name)?.[1];
  const locale = ownLocale(request, one('locale'));
  const { reporting, refused } = wordsFor(locale).words;
  // Browsers send a line break as two characters, but count it as one.
  const text = (one('text') ?? '').replaceAll('\r\n', '\n').trim();
  const reason = reportReasons.find((known) => known === one('reason'));
  const errors = {
    reason: reason === undefined ? reporting.chooseOne : undefined,
    text: text.length > maxText ? fill(reporting.tooLong, { count: maxText }) : undefined,
  };
  if (reason === undefined || errors.text !== undefined)
    return show(pages, request, reply.code(422), reported, { locale, reason, text, errors });
  const refusal = await refusedReport(pages, request, reported, { reason, text });
  if (refusal) {
    reply.code(refusal.status).headers(refusal.headers);
    const said = fill(refused.often, { seconds: refusal.headers['retry-after'] ?? '60' });
    return show(pages, request, reply, reported, { locale, reason, text, refusal: said });
  }
  return reply.redirect(`${pages.base}${reported.path}?${new URLSearchParams({ locale, sent: '1' }).toString()}`, 303);
}

/** Stores a report, or returns the error if the rate limit is reached. The page then keeps the text. */
async function refusedReport(
  { forms }: PublicPages,
  request: FastifyRequest,
  { about }: Reported,
  report: Report,
): Promise<Problem | undefined> {
  try {
    await forms.report(request, about, report);
    return undefined;
  } catch (error) {
    if (error instanceof Problem && error.code === 'rate_limited') return error;
    throw error;
  }
}
