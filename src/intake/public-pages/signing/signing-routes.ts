import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { SignInForPages } from '#accounts';
import { messageLocales } from '#fields';
import type { Locked, Signing, SigningForPages } from '#signatures';
import { sendContent } from '../../../platform/http/downloads.ts';
import { isKnownTo } from '../../../platform/http/etag.ts';
import { html, type Html } from '../../../platform/http/html.ts';
import type { App } from '../../../platform/http/server.ts';
import { Problem, problems } from '../../../platform/problems.ts';
import { idParams } from '../../../platform/schema-parts.ts';
import { ownLocale, ownPage, type PublicPages } from '../public/context.ts';
import { homePath } from '../app/next.ts';
import { signInPath, withPerson } from '../app/person.ts';
import { requireSameOrigin } from '../public/same-origin.ts';
import { readForm } from '../public/sent-form.ts';
import { message } from '../public/messages.ts';
import { dash, tick } from '../public/marks.ts';
import { fill, wordsFor } from '../public/words/index.ts';
import { accountView, type At, codeView, introView } from './gate-view.ts';
import { leavesView } from './leaf-view.ts';
import { type Leaves, viewOf } from './leaves.ts';
import { refusedView, waitingView } from './over-view.ts';
import { errorsOf, refusedDraft, signatureSent } from './sent.ts';
import { documentsNav, nextDocument, titlesOf } from './documents-view.ts';
import { declineView, delegateView, type Draft, otherWays, progressBar, signForm } from './sign-view.ts';
import { type SigningWords, signingWords } from './words/index.ts';

/** The dependencies of the signing page. */
export type SigningPages = PublicPages & { signing: SigningForPages; leaves: Leaves; session: SignInForPages };

const config = { access: { kind: 'link' } } as const;
const params = Type.Object({ token: Type.String({ maxLength: 200 }) });
const schema = { hide: true, params };
type SigningQuery = Partial<Record<'do' | 'document' | 'from' | 'locale', string>>;
type SigningAction = 'send' | 'check' | 'open' | 'sign' | 'decline' | 'delegate';
type View = { body: Html; locale: string; title?: string; wide?: boolean; status?: number };
/** The result of a request: a view, or a redirect to the page. */
type ViewOrBack = View | 'back';

const emptyDraft: Draft = { values: new Map(), errors: new Map() };

/** The routes of the signing page. Mails link to it. GET requests change nothing, and each action is a submitted form. */
export function signingRoutes(app: App, pages: SigningPages): void {
  const preHandler = identifyMember(pages);
  app.get('/sign/:token', { config, schema, preHandler }, async (request, reply) => {
    const { token } = request.params;
    const query = request.query as SigningQuery;
    return answer(pages, request, reply, token, ownLocale(request), async (at, team) => {
      const seen = await pages.signing.show(request, token);
      return viewFor(pages, request, { at: withLocale(at, request, seen), seen, query, draft: emptyDraft, sent: false }, team);
    });
  });
  // The way from the inbox of a member: the session stands for the mail with the link.
  app.get('/sign/requests/:id', { config: { access: { kind: 'page' } }, schema: { hide: true, params: idParams } }, (request, reply) =>
    withPerson(pages, request, reply, `/sign/requests/${encodeURIComponent(request.params.id)}`, async () =>
      reply.redirect(`${pages.base}/sign/${await pages.signing.linkOfMember(request, request.params.id)}`, 303),
    ),
  );
  app.post('/sign/:token', { config, schema, preHandler }, (request, reply) => takeAct(pages, request, reply, request.params.token));
  files(app, pages);
}

/** Reads the session of a member who is a signer. Other signers need no account. */
const identifyMember = (pages: SigningPages) => async (request: FastifyRequest, reply: FastifyReply) => {
  if (!pages.session.hasCookie(request)) return;
  const { token } = request.params as { token: string };
  if (await asksMember(pages, request, token)) await pages.session.identify(request, reply);
};

/** Returns whether the signer of a link is a member. Returns false for an invalid link, whose page shows the error. */
async function asksMember({ signing }: SigningPages, request: FastifyRequest, token: string): Promise<boolean> {
  try {
    return (await signing.requestOrigin(request, token)).asksMember;
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return false;
    throw error;
  }
}

function files(app: App, pages: SigningPages): void {
  const { signing, leaves, storage } = pages;
  const preHandler = identifyMember(pages);
  const sealed = 'private, no-store';
  const querystring = Type.Object({ document: Type.Optional(Type.Integer({ minimum: 0, maximum: 19 })) });
  app.get(
    '/sign/:token/document.pdf',
    { config, schema: { ...schema, querystring, produces: ['*/*'] }, preHandler },
    async (request, reply) =>
      sendContent(request, reply, storage, await signing.document(request, request.params.token, request.query.document), sealed),
  );
  app.get(
    '/sign/:token/sealed.pdf',
    { config, schema: { ...schema, querystring, produces: ['*/*'] }, preHandler },
    async (request, reply) =>
      sendContent(request, reply, storage, await signing.sealed(request, request.params.token, request.query.document), sealed),
  );
  const page = Type.Object({ ...params.properties, page: Type.Integer({ minimum: 1, maximum: 100_000 }) });
  app.get(
    '/sign/:token/pages/:page.webp',
    { config, schema: { hide: true, params: page, querystring, produces: ['*/*'] }, preHandler },
    async (request, reply) => {
      const { token, page: number } = request.params;
      const file = await signing.document(request, token, request.query.document);
      const picture = (await leaves.from(file, viewOf(number), file.team)).get(number);
      if (!picture) throw problems.not_found('The page does not exist, or it cannot be rendered. Download the document instead.');
      return picturePart(request, reply, `"${file.sha256.slice(0, 32)}-${number}"`, 'image/webp', picture.bytes);
    },
  );
  const field = Type.Object({ ...params.properties, field: Type.String({ maxLength: 64 }) });
  app.get(
    '/sign/:token/drawings/:field.png',
    { config, schema: { hide: true, params: field, produces: ['*/*'] }, preHandler },
    async (request, reply) => {
      const seen = await signing.show(request, request.params.token);
      const drawing = 'fields' in seen ? seen.fields.find(({ id }) => id === request.params.field)?.drawing : undefined;
      if (drawing === undefined) throw problems.not_found('The drawing does not exist. Reload the page.');
      const png = Buffer.from(drawing.split(',')[1] ?? '', 'base64');
      return reply.headers({ 'cache-control': 'private, no-store', 'content-type': 'image/png' }).send(png);
    },
  );
}

function picturePart(request: FastifyRequest, reply: FastifyReply, tag: string, type: string, bytes: Buffer): FastifyReply {
  reply.headers({ etag: tag, 'cache-control': 'private, no-cache' });
  if (isKnownTo(request, tag)) return reply.code(304).send();
  return reply.type(type).send(bytes);
}

const namesLocale = (request: FastifyRequest): boolean => (request.query as SigningQuery).locale !== undefined;

/** Uses the language of the request if the address has none. */
function withLocale(at: At, request: FastifyRequest, seen: Signing | Locked): At {
  return 'locale' in seen && !namesLocale(request) ? { ...at, locale: seen.locale } : at;
}

type SigningPageState = { at: At; seen: Signing | Locked; query: SigningQuery; draft: Draft; sent: boolean; error?: string };

async function viewFor(
  pages: SigningPages,
  request: FastifyRequest,
  { at, seen, query, draft, sent, error }: SigningPageState,
  team: string,
): Promise<View> {
  const words = signingWords(at.locale);
  const { locale } = at;
  if ('signInRequired' in seen) {
    const isOther = request.principal !== null;
    const signIn = signInPath(pages.base, at.path.slice(pages.base.length), locale);
    return { body: accountView(seen, { isOther, signIn: isOther ? `${signIn}&switch=` : signIn }, words), locale };
  }
  if (!('signer' in seen)) return { body: codeView(at, seen, { sent, ...(error === undefined ? {} : { error }) }, words), locale };
  const title = fill(words.title, { title: titlesOf(seen) });
  const waiting = waitingView(at, seen, pages.base, words);
  if (waiting) return { body: html`${waiting}${toInbox(pages, request, words)}`, locale, title };
  if (seen.signer.status === 'pending') return { body: introView(at, seen, team, words), locale, title };
  if (query.do === 'decline') return { body: declineView(at, draft, words), locale, title };
  if (query.do === 'delegate' && seen.allowDelegation) return { body: delegateView(at, draft, words), locale, title };
  const document = within(query.document, 0, seen.documents.length - 1);
  const file = await pages.signing.document(request, (request.params as { token: string }).token, document);
  const first = viewOf(within(query.from, 1, Math.max(seen.documents[document]?.pages ?? 1, 1)));
  const leaves = await pages.leaves.from(file, first, file.team);
  const { words: page } = wordsFor(locale);
  const body = html`<div class="signing">
    <div class="intro">
      <p class="kicker">${fill(seen.signer.role === 'approver' ? words.approvalRequested : words.signatureRequested, { team })}</p>
      <h1 tabindex="-1"><bdi>${seen.documents[document]?.title}</bdi></h1>
      <p class="to-sign">
        <a class="button second small" href="#sign">${seen.signer.role === 'approver' ? words.toApprove : words.toSign}</a>
      </p>
    </div>
    ${documentsNav(at, seen, document, words)}
    ${leavesView({ path: at.path, locale, signing: seen, document, first, leaves, next: nextDocument(at, seen, document, words) }, words)}
    <div class="panel">${signForm(at, seen, draft, { words, page })}${otherWays(at, seen, words)}</div>
    ${progressBar(seen, draft, words)}
  </div>`;
  return { body, wide: true, locale, title };
}

/** The way back to the console. Only a signer who is a member has a session here. */
const toInbox = ({ base }: SigningPages, { principal }: FastifyRequest, { signed: { toInbox: label } }: SigningWords): Html | false =>
  principal !== null && html`<p class="actions"><a class="button second" href="${base}${homePath}">${label}</a></p>`;

/** Returns a number of the query between two bounds, or the lower bound. */
function within(given: string | undefined, least: number, most: number): number {
  const wanted = Number.parseInt(given ?? '', 10);
  return Math.min(Math.max(Number.isNaN(wanted) ? least : wanted, least), Math.max(most, least));
}

/** Sends a view. Errors of the complete request are pages too. */
async function answer(
  pages: SigningPages,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  locale: string,
  view: (at: At, team: string) => Promise<ViewOrBack>,
): Promise<FastifyReply> {
  const path = `/sign/${token}`;
  const at = { path: `${pages.base}${path}`, locale };
  const languages = { locales: messageLocales, form: false };
  // The origin of the request, which is also known after the request has ended.
  let known: Awaited<ReturnType<SigningForPages['requestOrigin']>> | undefined;
  const brandOf = async ({ team, name }: { team: string; name: string }) => {
    const brand = await pages.forms.brand(request, team, name);
    return brand.logo === undefined ? brand : { ...brand, logo: `${pages.base}${brand.logo}` };
  };
  try {
    known = await pages.signing.requestOrigin(request, token);
    const answered = await view({ ...at, zone: known.zone }, known.name);
    if (answered === 'back') return reply.redirect(`${at.path}?${new URLSearchParams({ locale: at.locale }).toString()}`, 303);
    const { body, wide, status, title, locale: shown } = answered;
    if (status !== undefined) reply.code(status);
    return ownPage(pages, request, reply, {
      title: title ?? signingWords(locale).code.title,
      body,
      path,
      locale: shown,
      brand: await brandOf(known),
      languages,
      ...(wide ? { wide } : {}),
    });
  } catch (error) {
    const problem = error instanceof Problem ? error : undefined;
    // Uses the language of the request if the reader has not chosen one.
    const shown = known !== undefined && !namesLocale(request) ? known.locale : locale;
    const words = signingWords(shown);
    const body = problem && refusedView(problem, words, known?.voided);
    if (!problem || !body) throw error;
    reply.code(problem.status).headers(problem.headers);
    const brand = known === undefined ? {} : { brand: await brandOf(known) };
    const withBack = html`${body}${toInbox(pages, request, words)}`;
    return ownPage(pages, request, reply, { title: words.over.title, body: withBack, path, locale: shown, languages, ...brand });
  }
}

/** Runs the action of a form, and redirects to the page, so that a reload does not send it again. */
async function takeAct(pages: SigningPages, request: FastifyRequest, reply: FastifyReply, token: string): Promise<FastifyReply> {
  requireSameOrigin(request);
  const sent = new Map(await readForm(request, ({ file }) => Promise.resolve(void file.resume())));
  const act = (sent.get('_do') ?? '') as SigningAction;
  const locale = ownLocale(request, sent.get('locale'));
  const { signing } = pages;
  return answer(pages, request, reply, token, locale, async ({ path, zone }, team) => {
    const at = { path, locale, zone };
    const words = signingWords(locale);
    const again = async (
      draft: Draft,
      query: SigningQuery = {},
      code: { sent: boolean; error?: string } = { sent: false },
      status = 422,
    ) => ({
      ...(await viewFor(pages, request, { at, seen: await signing.show(request, token), query, draft, ...code }, team)),
      status,
    });
    switch (act) {
      case 'send':
        await signing.sendCode(request, token);
        return again(emptyDraft, {}, { sent: true }, 200);
      case 'check': {
        const code = (sent.get('code') ?? '').replaceAll(/[^\d٠-٩０-９]/g, '').normalize('NFKC');
        if (!/^\d{6}$/.test(code)) return again(emptyDraft, {}, { sent: true, error: words.code.digits });
        try {
          await signing.checkCode(request, reply, token, code);
        } catch (error) {
          if (error instanceof Problem && error.code === 'code_wrong')
            return again(emptyDraft, {}, { sent: true, error: words.code.wrong });
          throw error;
        }
        break;
      }
      case 'open':
        await signing.open(request, token);
        break;
      case 'decline': {
        const reason = (sent.get('reason') ?? '').trim();
        if (reason.length > 2_000)
          return again({ values: sent, errors: new Map([['reason', words.errorTexts.reason]]) }, { do: 'decline' });
        await signing.decline(request, token, reason === '' ? undefined : reason);
        return { body: message({ mark: dash, tone: 'off', ...words.declined, more: toInbox(pages, request, words) }), locale };
      }
      case 'delegate':
        return delegated(pages, request, token, sent, locale, again);
      case 'sign': {
        const refused = await signed(pages, request, token, sent, words);
        if (refused) return again(refused);
        break;
      }
      default:
        throw problems.bad_request('The page sent an unknown action. Reload the page.');
    }
    return 'back';
  });
}

async function delegated(
  pages: SigningPages,
  request: FastifyRequest,
  token: string,
  sent: ReadonlyMap<string, string>,
  locale: string,
  again: (draft: Draft, asked: SigningQuery) => Promise<View>,
): Promise<View> {
  const words = signingWords(locale);
  const to = { name: (sent.get('name') ?? '').trim(), email: (sent.get('email') ?? '').trim() };
  const errors = new Map<string, string>();
  if (to.name === '') errors.set('name', words.delegating.nameMissing);
  if (!/^\S+@\S+$/.test(to.email)) errors.set('email', words.errorTexts.email);
  if (errors.size > 0) return again({ values: sent, errors }, { do: 'delegate' });
  try {
    await pages.signing.delegate(request, token, to);
    const { done: title, doneText: text } = words.delegating;
    return { body: message({ mark: tick, title, text, more: toInbox(pages, request, words) }), locale };
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 422) throw error;
    return again({ values: sent, errors: new Map([['email', words.errorTexts.email]]) }, { do: 'delegate' });
  }
}

/** Signs. Returns the form with its errors, or undefined on success. */
async function signed(
  { signing }: SigningPages,
  request: FastifyRequest,
  token: string,
  sent: ReadonlyMap<string, string>,
  words: SigningWords,
): Promise<Draft | undefined> {
  const seen = await signing.show(request, token);
  if (!('signer' in seen)) return emptyDraft;
  const errors = errorsOf(sent, seen, words);
  const drawn = (sent.get('drawing') ?? '').replace(/^data:image\/png;base64,/, '');
  try {
    if (drawn !== '' && !(await signing.takesDrawing(request, token, drawn))) errors.set('drawing', words.errorTexts.drawing);
    if (errors.size > 0) return { values: sent, errors };
    await signing.sign(request, token, signatureSent(sent, seen, drawn));
    return undefined;
  } catch (error) {
    // The form was sent twice. The page shows that the document is signed.
    if (error instanceof Problem && ['already_signed', 'request_sealing'].includes(error.code)) return undefined;
    const draft = error instanceof Problem ? refusedDraft(error, sent, words) : undefined;
    if (!draft) throw error;
    return draft;
  }
}
