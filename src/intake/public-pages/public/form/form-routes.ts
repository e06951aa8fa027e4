import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type Answers, answersFromForm } from '#fields';
import { turnOfForm } from '#forms';
import type { App } from '../../../../platform/http/server.ts';
import { Problem } from '../../../../platform/problems.ts';
import { answerPage } from '../answer.ts';
import type { PublicPages } from '../context.ts';
import { refusalText } from '../refusals.ts';
import { requireSameOrigin } from '../same-origin.ts';
import { readForm } from '../sent-form.ts';
import { wordsFor } from '../words/index.ts';
import { type TimeQuery, chosenOf, type ChosenTime, isBooking, otherOf, timesPage } from './booking-form.ts';
import { answerDone, finish } from './done-routes.ts';
import { formPage, type InProgress, type OpenForm } from './form-page.ts';
import { saveForLater } from './later.ts';
import { fileTaker } from './sent-files.ts';
import { offeredIn } from './offers.ts';
import { type Entries, readSent, type SubmittedForm, turnOf } from './sent.ts';
import { openSteps, shownFor } from './steps.ts';

const config = { access: { kind: 'link' } } as const;
const params = Type.Object({ token: Type.String({ maxLength: 200 }) });
const schema = { hide: true, params };

/** The routes of form pages. */
export function formRoutes(app: App, pages: PublicPages): void {
  const at = pages.formsAt;
  app.get(`${at}/:token`, { config, schema }, (request, reply) => showForm(pages, request, reply, request.params.token));
  app.post(`${at}/:token`, { config, schema }, (request, reply) => takeForm(pages, request, reply, request.params.token));
  app.get(`${at}/:token/done`, { config, schema }, async (request, reply) =>
    answerDone(pages, request, reply, await sentForm(pages, request), { zone: queryOf(request).find(([name]) => name === 'zone')?.[1] }),
  );
  app.post(`${at}/:token/finish`, { config, schema }, async (request, reply) =>
    finish(pages, request, reply, await sentForm(pages, request)),
  );
}

/** Returns a form after a submission. The page shows it even if the form is closed or full. */
async function sentForm(pages: PublicPages, request: FastifyRequest<{ Params: { token: string } }>): Promise<OpenForm> {
  const { token } = request.params;
  return { form: await pages.forms.show(request, token, { locale: wantedLocale(queryOf(request)), closed: true }), token };
}

/** Returns the query parameters of a request. */
function queryOf(request: FastifyRequest): Entries {
  return Object.entries(request.query as Record<string, unknown>).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (typeof one === 'string' ? [[name, one] as const] : [])),
  );
}

const wantedLocale = (entries: Entries) => entries.find(([name]) => name === 'locale')?.[1].slice(0, 35);

async function showForm(pages: PublicPages, request: FastifyRequest, reply: FastifyReply, token: string): Promise<FastifyReply> {
  const query = queryOf(request);
  const form = await pages.forms.show(request, token, { locale: wantedLocale(query) });
  const open = { form, token };
  const timeQuery: TimeQuery = Object.fromEntries(query);
  const chosen = isBooking(open) ? await chosenOf(pages, request, open, timeQuery) : undefined;
  if (isBooking(open) && !chosen) return answerPage(reply, pages.assets, await timesPage(pages, request, open, timeQuery));
  const draft = form.shown.config.drafts ? await pages.forms.draft(request, token) : undefined;
  const answers = { ...firstAnswers(open, query), ...draft?.answers };
  const [step = 1] = openSteps(form.fields, shownFor(form.fields, answers, form.shown.publicSettings.locale));
  return show(pages, request, reply, open, {
    answers,
    step,
    key: randomUUID(),
    fresh: true,
    fileNames: draft?.fileNames ?? new Map(),
    ...chosen,
  });
}

/** Returns the initial answers: the defaults, and prefilled values of the link. */
function firstAnswers({ form: { fields, shown } }: OpenForm, query: Entries): Answers {
  const defaults = fields.flatMap(({ id, type, default: value }) =>
    value === undefined || type === 'hidden' ? [] : [[id, value] as const],
  );
  const taking = fields.filter(({ prefill }) => prefill);
  return { ...Object.fromEntries(defaults), ...answersFromForm(taking, query, shown.publicSettings.locale, 'link') };
}

async function show(
  pages: PublicPages,
  request: FastifyRequest,
  reply: FastifyReply,
  open: OpenForm,
  progress: InProgress,
): Promise<FastifyReply> {
  const records = await offeredIn(pages, request, open, progress);
  await turnOfForm(open.form.team, open.form.fields);
  return answerPage(reply, pages.assets, formPage(pages, open, { ...progress, records }));
}

/** Handles a submitted page: another step, another language, or the final submission. */
async function takeForm(pages: PublicPages, request: FastifyRequest, reply: FastifyReply, token: string): Promise<FastifyReply> {
  requireSameOrigin(request);
  const files = fileTaker(pages, request, reply, token);
  const given = await readForm(request, (file) => files.take(file));
  const one = (name: string) => given.findLast(([other]) => other === name)?.[1];
  const form = await pages.forms.show(request, token, { locale: (one('_to') ?? one('_locale'))?.slice(0, 35) });
  const open = { form, token };
  const { fields } = form;
  // Numbers are parsed in the language of the page that sent them.
  const sent = readSent(fields, files.entries(given, open), one('_locale') ?? form.shown.publicSettings.locale, randomUUID);
  const turn = await turnOf(fields, sent, { locale: form.shown.publicSettings.locale, team: form.team });
  const { answers, key, fileNames } = sent;
  const { words } = wordsFor(form.shown.publicSettings.locale);
  const errors = files.errors(open);
  if (errors.length > 0) return show(pages, request, reply.code(422), open, { step: sent.step, answers, key, fileNames, errors });
  if (sent.press.kind === 'keep') return keep(pages, request, reply, open, sent);
  if (turn.to === 'send') return send(pages, request, reply, open, sent);
  if (turn.errors.length > 0) reply.code(422);
  const time = await timeOf(pages, request, open, sent);
  return show(pages, request, reply, open, {
    ...turn,
    answers,
    key,
    fileNames,
    searches: sent.searches,
    ...time,
    ...(turn.more ? { notice: words.more } : {}),
  });
}

async function keep(
  pages: PublicPages,
  request: FastifyRequest,
  reply: FastifyReply,
  open: OpenForm,
  sent: SubmittedForm,
): Promise<FastifyReply> {
  const { answers, key, fileNames, searches, step } = sent;
  const later = await saveForLater(pages, request, reply, open, sent);
  if ('problem' in later) reply.code(later.problem.status).headers(later.problem.headers);
  const time = await timeOf(pages, request, open, sent);
  return show(pages, request, reply, open, { answers, key, fileNames, searches, step, ...time, ...later });
}

/** Returns the chosen time of a booking form, or other times if it is no longer free. */
async function timeOf(pages: PublicPages, request: FastifyRequest, open: OpenForm, sent: SubmittedForm): Promise<ChosenTime | undefined> {
  if (!isBooking(open)) return undefined;
  return (await chosenOf(pages, request, open, sent)) ?? otherOf(pages, request, open, sent);
}

async function send(
  pages: PublicPages,
  request: FastifyRequest,
  reply: FastifyReply,
  open: OpenForm,
  sent: SubmittedForm,
): Promise<FastifyReply> {
  const { form, token } = open;
  const { locale } = form.shown.publicSettings;
  const { version, altcha, key, start, zone } = sent;
  const honey = sent.honeypot === '' ? {} : { _website: sent.honeypot };
  const time = isBooking(open) ? { start, ...(zone === undefined ? {} : { timeZone: zone }) } : {};
  const data = { ...sent.answers, ...honey, ...time };
  try {
    const script = request.headers['x-page'] !== undefined;
    const done = await pages.forms.submit(request, reply, token, { key, data, version, altcha, locale, plain: !script });
    if (done.awaitsConfirmation)
      return await reply.redirect(`${pages.base}${pages.formsAt}/${token}/held?${new URLSearchParams({ locale }).toString()}`, 303);
    const place = `${pages.base}${pages.formsAt}/${token}/done?${new URLSearchParams({ locale, ...(zone === undefined ? {} : { zone }) }).toString()}`;
    // A script shows this response in place of the form. Without a script the browser is redirected, so that a reload sends nothing.
    if (!script) return await reply.redirect(place, 303);
    reply.header('content-location', place);
    return await answerDone(pages, request, reply, open, { session: done.token, zone });
  } catch (error) {
    if (error instanceof Problem && keepsAnswers.has(error.code)) return refuse(pages, request, reply, open, sent, error);
    throw error;
  }
}

/** Errors after which the visitor can continue with the same answers. */
const keepsAnswers = new Set([
  'submission_invalid',
  'version_superseded',
  'rate_limited',
  'idempotency_key_reused',
  'idempotency_in_progress',
  'payload_too_large',
  'altcha_required',
  'altcha_invalid',
  'altcha_expired',
  'altcha_already_used',
  'slot_taken',
  'slot_not_offered',
  'too_many_bookings',
]);

async function refuse(
  pages: PublicPages,
  request: FastifyRequest,
  reply: FastifyReply,
  open: OpenForm,
  sent: SubmittedForm,
  problem: Problem,
): Promise<FastifyReply> {
  const { fields, shown } = open.form;
  const { words } = wordsFor(shown.publicSettings.locale);
  const errors = (problem.errors ?? []).filter(({ name }) => fields.some(({ id }) => id === name)) as InProgress['errors'];
  const wrong = fields.find(({ id }) => errors?.some(({ name }) => name === id));
  reply.code(problem.status).headers(problem.headers);
  // A missing time is not an error of a field, so the page shows a hint to choose one.
  const untimed = problem.errors?.some(({ pointer }) => pointer === '/data/start') === true;
  return show(pages, request, reply, open, {
    answers: sent.answers,
    step: wrong?.page ?? sent.step,
    key: problem.code === 'idempotency_key_reused' ? randomUUID() : sent.key,
    fileNames: sent.fileNames,
    searches: sent.searches,
    ...(await timeOf(pages, request, open, sent)),
    ...(wrong ? { errors } : { refusal: untimed ? words.booking.intro : refusalText(problem, words) }),
  });
}
