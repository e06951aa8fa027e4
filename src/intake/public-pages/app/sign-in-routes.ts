import type { FastifyReply, FastifyRequest } from 'fastify';
import { messageLocales } from '#fields';
import type { Html } from '../../../platform/http/html.ts';
import type { App } from '../../../platform/http/server.ts';
import { Problem, problems } from '../../../platform/problems.ts';
import { ownLocale, ownPage } from '../public/context.ts';
import { proofFiles, proofView } from '../public/proof-view.ts';
import { requireSameOrigin } from '../public/same-origin.ts';
import { readForm } from '../public/sent-form.ts';
import { fill, wordsFor } from '../public/words/index.ts';
import { pathAfterSignIn } from './next.ts';
import { type AppPages, isFromElsewhere, openAgain, signInPath } from './person.ts';
import { codeView, forgotSentView, forgotView, providerView, type SignInAt, type SignInDraft, signInView } from './sign-in-view.ts';
import { type AppWords, appWords } from './words/index.ts';

const path = '/app/sign-in';
const config = { access: { kind: 'public' } } as const;
const schema = { hide: true };

type SignInQuery = Partial<Record<'next' | 'locale' | 'switch' | 'out', unknown>>;
type FormFields = ReadonlyMap<string, string>;
type SignInStep = { body: Html; status?: number };

/** The routes of the sign-in page, which leads to the page in `next`. It works without scripts, except for passkeys. */
export function signInRoutes(app: App, pages: AppPages): void {
  app.get(path, { config, schema }, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const query = request.query as SignInQuery;
    const next = pathAfterSignIn(query.next);
    const at = placeOf(pages, next, ownLocale(request));
    const principal = await pages.session.identify(request, reply);
    if (principal && query.switch === undefined) return reply.redirect(`${pages.base}${next}`, 303);
    // After a redirect from a provider the browser sends the new `SameSite=Strict` cookies only with the next request.
    if (!principal && isFromElsewhere(request)) return openAgain(pages, request, reply, request.url);
    return show(pages, request, reply, at, { body: signInView(at, query.out === undefined ? {} : { notice: at.words.signIn.signedOut }) });
  });

  app.post(path, { config, schema }, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const sent = await sentForm(request);
    const at = placeOf(pages, pathAfterSignIn(sent.get('next')), ownLocale(request, sent.get('locale')));
    const shown = await takeSignIn(pages, request, reply, at, sent);
    return shown === 'signed in' ? reply.redirect(`${pages.base}${at.next}`, 303) : show(pages, request, reply, at, shown);
  });

  forgottenRoutes(app, pages);
  app.post('/app/sign-out', { config, schema }, async (request, reply) => {
    const sent = await sentForm(request);
    await pages.session.identify(request, reply);
    await pages.session.signOut(request, reply);
    const back = `${signInPath(pages.base, pathAfterSignIn(sent.get('next')), ownLocale(request, sent.get('locale')))}&out=`;
    return reply.redirect(back, 303);
  });
}

const forgottenPath = '/forgot-password';

function forgottenRoutes(app: App, pages: AppPages): void {
  const { session } = pages;
  const placed = (next: unknown, locale: string) => ({
    ...placeOf(pages, pathAfterSignIn(next), locale),
    path: `${pages.base}${forgottenPath}`,
  });
  const shown = (request: FastifyRequest, reply: FastifyReply, at: SignInAt, draft: SignInDraft = {}) => {
    const challenge = `${at.operations}/altcha?action=reset`;
    const noScript = wordsFor(at.locale).words.refused.proofNeedsScript;
    const proof = session.resetNeedsProof && proofView(proofFiles(pages.assets, at.locale), { challenge, noScript });
    return show(pages, request, reply, at, { body: forgotView(at, draft, proof) });
  };

  app.get(forgottenPath, { config, schema }, (request, reply) =>
    shown(request, reply, placed((request.query as SignInQuery).next, ownLocale(request))),
  );
  app.post(forgottenPath, { config, schema }, async (request, reply) => {
    const sent = await sentForm(request);
    const at = placed(sent.get('next'), ownLocale(request, sent.get('locale')));
    const email = (sent.get('email') ?? '').trim();
    if (email === '') return shown(request, reply.code(422), at, { errors: { email: at.words.signIn.needEmail } });
    const altcha = sent.get('altcha');
    try {
      await session.requestReset(request, { email, ...(altcha === undefined ? {} : { altcha }) });
    } catch (error) {
      return shown(request, reply, at, { email, ...draftOf(error, reply, at.words) });
    }
    return show(pages, request, reply, at, { body: forgotSentView(at) });
  });
}

async function sentForm(request: FastifyRequest): Promise<FormFields> {
  requireSameOrigin(request);
  return new Map(await readForm(request, ({ file }) => Promise.resolve(void file.resume())));
}

const placeOf = ({ base }: AppPages, next: string, locale: string): SignInAt => ({
  path: `${base}${path}`,
  base,
  operations: `${base}/api/v1/security/auth`,
  next,
  locale,
  words: appWords(locale),
});

function show(pages: AppPages, request: FastifyRequest, reply: FastifyReply, at: SignInAt, { body, status }: SignInStep): FastifyReply {
  if (status !== undefined) reply.code(status);
  return ownPage(pages, request, reply, {
    title: at.words.signIn.title,
    body,
    path: at.path.slice(pages.base.length),
    locale: at.locale,
    languages: { locales: messageLocales, form: false, query: { next: at.next } },
    // The sign-in at a provider only starts if `Referer` is a page of this service.
    sendsReferer: true,
    proof: pages.session.resetNeedsProof,
  });
}

async function takeSignIn(
  pages: AppPages,
  request: FastifyRequest,
  reply: FastifyReply,
  at: SignInAt,
  sent: FormFields,
): Promise<SignInStep | 'signed in'> {
  const email = (sent.get('email') ?? '').trim();
  switch (sent.get('_do') ?? '') {
    case 'sso':
      return email === ''
        ? { body: signInView(at, { errors: { email: at.words.signIn.needEmail } }), status: 422 }
        : { body: providerView(at, startPath(pages, at, email)) };
    case 'challenge':
      return { body: codeView(at, challengeOf(sent), {}) };
    case 'code':
      return takeCode(pages, request, reply, at, sent);
    case '':
      return takePassword(pages, request, reply, at, { email, password: sent.get('password') ?? '' });
    default:
      throw problems.bad_request('The page sent an unknown action. Open the page again.');
  }
}

/** Returns the address that starts a sign-in at the provider of a team. The response of the provider leads back to the sign-in page. */
function startPath({ base }: AppPages, { next, locale }: SignInAt, email: string): string {
  const query = new URLSearchParams({ email, returnTo: signInPath(base, next, locale) });
  return `${base}/api/v1/security/auth/sso/start?${query.toString()}`;
}

const challengeOf = (sent: FormFields) => ({ challengeId: sent.get('challengeId') ?? '', methods: (sent.get('methods') ?? '').split(',') });

async function takePassword(
  pages: AppPages,
  request: FastifyRequest,
  reply: FastifyReply,
  at: SignInAt,
  given: { email: string; password: string },
): Promise<SignInStep | 'signed in'> {
  const { signIn } = at.words;
  const { email } = given;
  const errors = {
    ...(email === '' ? { email: signIn.needEmail } : {}),
    ...(given.password === '' ? { password: signIn.needPassword } : {}),
  };
  if (Object.keys(errors).length > 0) return { body: signInView(at, { email, errors }), status: 422 };
  try {
    const challenge = await pages.session.signIn(request, reply, given);
    return challenge === undefined ? 'signed in' : { body: codeView(at, challenge, {}) };
  } catch (error) {
    return { body: signInView(at, { email, ...draftOf(error, reply, at.words) }), status: reply.statusCode };
  }
}

async function takeCode(
  pages: AppPages,
  request: FastifyRequest,
  reply: FastifyReply,
  at: SignInAt,
  sent: FormFields,
): Promise<SignInStep | 'signed in'> {
  const challenge = challengeOf(sent);
  const code = (sent.get('code') ?? '').trim();
  if (code === '') return { body: codeView(at, challenge, { errors: { code: at.words.signIn.needCode } }), status: 422 };
  try {
    await pages.session.verifyCode(request, reply, { challengeId: challenge.challengeId, code });
    return 'signed in';
  } catch (error) {
    const draft = draftOf(error, reply, at.words);
    const hasEnded = error instanceof Problem && error.code === 'invalid_challenge';
    return { body: hasEnded ? signInView(at, draft) : codeView(at, challenge, draft), status: reply.statusCode };
  }
}

/** Returns the error text of a failed sign-in, and sets the status and headers of the response. Rethrows other errors. */
function draftOf(error: unknown, reply: FastifyReply, { signIn }: AppWords): SignInDraft {
  if (!(error instanceof Problem) || error.status >= 500) throw error;
  reply.code(error.status).headers(error.headers);
  const known: Readonly<Record<string, string>> = signIn.problems;
  const minutes = Math.ceil(Number(error.headers['retry-after'] ?? 60) / 60);
  return { alert: error.status === 429 ? fill(signIn.problems.too_many, { minutes }) : (known[error.code] ?? signIn.failed) };
}
