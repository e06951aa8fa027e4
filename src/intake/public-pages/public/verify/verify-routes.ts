import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { addressBlock, clientIp } from '../../../../platform/http/client-ip.ts';
import { type Html, html } from '../../../../platform/http/html.ts';
import type { App } from '../../../../platform/http/server.ts';
import { Problem, problems } from '../../../../platform/problems.ts';
import { timeInWords } from '../../../../platform/time-in-words.ts';
import { StorageError } from '../../../../platform/storage/storage.ts';
import { messageLocales } from '#fields';
import { requestedLocale, ownLocale, ownPage, type PublicPages } from '../context.ts';
import { requireSameOrigin } from '../same-origin.ts';
import { readForm } from '../sent-form.ts';
import { wordsFor } from '../words/index.ts';
import { limitsOf, signedFileForm, verdictView } from './signed-view.ts';
import { codeView, onward, type VerificationView, verifiedView } from './verify-view.ts';
import { signedFileWords } from './words/index.ts';

const config = { access: { kind: 'public' } } as const;
const query = Type.Object({ locale: Type.Optional(Type.String({ maxLength: 35 })), code: Type.Optional(Type.String({ maxLength: 100 })) });
const params = Type.Object({ code: Type.String({ maxLength: 100 }) });

/** The languages of the page. Result pages for a file have no language links, because a link cannot send the file again. */
const languages = { locales: messageLocales, form: false };

/** The maximum size of a signed file, as in the operation. */
const maxBytes = 25 * 1024 * 1024;

/** The pages to verify documents: by a verification code, or by the signatures of the file. */
export function verifyRoutes(app: App, pages: PublicPages): void {
  app.get('/verify', { config, schema: { hide: true, querystring: query } }, (request, reply) => {
    const { code = '' } = request.query;
    if (code.trim() !== '')
      return reply.redirect(onward(`${pages.base}/verify/${encodeURIComponent(code.trim())}`, requestedLocale(request)), 303);
    return ownPage(pages, request, reply, { ...askView(pages, request), languages });
  });

  app.post('/verify', { config, schema: { hide: true, querystring: query } }, async (request, reply) => {
    requireSameOrigin(request);
    pages.verifying.spend(addressBlock(clientIp(request)));
    return showSigned(pages, request, reply);
  });

  app.get('/verify/:code', { config, schema: { hide: true, params, querystring: query } }, (request, reply) =>
    show(pages, request, reply, request.params.code),
  );

  app.post('/verify/:code', { config, schema: { hide: true, params, querystring: query } }, async (request, reply) => {
    requireSameOrigin(request);
    return show(pages, request, reply, request.params.code, await fingerprint(request));
  });
}

/** The form for a code or a signed file, with the error of the last file. */
function askView({ base }: PublicPages, request: FastifyRequest, error?: string): { title: string; body: Html; path: string } {
  const [locale, requested] = [ownLocale(request), requestedLocale(request)];
  const [{ words }, own, path] = [wordsFor(locale), signedFileWords(locale), `${base}/verify`];
  const body = html`<div class="intro">
      <h1>${words.verify.title}</h1>
    </div>
    <section class="card">
      <h2>${own.title}</h2>
      <p id="signed-lead">${own.intro}</p>
      ${signedFileForm(onward(path, requested), own, error)}
    </section>
    <section class="card">
      <h2>${own.codeTitle}</h2>
      ${codeView(path, words, requested)}
    </section>
    ${limitsOf(own)}`;
  return { title: words.verify.title, body, path: '/verify' };
}

/** Verifies the sent file. It is stored only during the check. */
async function showSigned(pages: PublicPages, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const locale = ownLocale(request);
  const own = signedFileWords(locale);
  const kept: { key: string; sha256: string }[] = [];
  try {
    await readForm(request, async ({ file }) => {
      if (kept.length > 0) throw problems.validation_failed(own.none);
      const declaredBytes = Number(request.headers['content-length'] ?? maxBytes);
      kept.push(await pages.storage.write(file, { maxBytes, ownerKey: addressBlock(clientIp(request)), declaredBytes }));
    });
    const [one] = kept;
    if (!one) throw problems.validation_failed(own.none);
    const verdict = await pages.verifying.verify({ sha256: one.sha256, open: () => pages.storage.read(one.key) });
    const body = verdictView(onward(`${pages.base}/verify`, requestedLocale(request)), verdict, own, locale);
    return await ownPage(pages, request, reply, { title: own.said[verdict.reason ?? 'valid'].title, body, path: '/verify' });
  } catch (error) {
    const large = (error instanceof StorageError && error.reason === 'too_large') || (error instanceof Problem && error.status === 413);
    if (!large && !(error instanceof Problem && error.status === 400)) throw error;
    reply.code(large ? 413 : 400);
    return ownPage(pages, request, reply, askView(pages, request, large ? own.tooLarge : own.none));
  } finally {
    for (const { key } of kept) await pages.storage.remove(key);
  }
}

/** Returns the SHA-256 of the sent file, or the one that the page computed on the device. */
async function fingerprint(request: FastifyRequest): Promise<string> {
  let sha256: string | undefined;
  const take = async ({ file }: MultipartFile) => {
    const hash = createHash('sha256');
    await pipeline(file, hash);
    if (!file.truncated) sha256 ??= hash.digest('hex');
  };
  const entries = await readForm(request, take);
  sha256 ??= entries.find(([name]) => name === 'sha256')?.[1];
  if (sha256 === undefined || !/^[\da-f]{64}$/i.test(sha256))
    throw problems.validation_failed('The form has no file, or the file is too large. Choose the PDF that you received.');
  return sha256;
}

async function show(
  pages: PublicPages,
  request: FastifyRequest,
  reply: FastifyReply,
  code: string,
  sha256?: string,
): Promise<FastifyReply> {
  const locale = ownLocale(request);
  const { words } = wordsFor(locale);
  const verified = await look(pages, { code, ip: clientIp(request), ...(sha256 === undefined ? {} : { sha256 }) }, locale);
  if (verified.state === 'unknown') reply.code(404);
  const body = verifiedView(`${pages.base}/verify`, verified, words, requestedLocale(request));
  const path = `/verify/${encodeURIComponent(code)}`;
  return ownPage(pages, request, reply, { title: words.verify.title, body, path, ...(sha256 === undefined ? { languages } : {}) });
}

async function look(
  { issuedDocuments }: PublicPages,
  shown: Parameters<PublicPages['issuedDocuments']['verify']>[0],
  locale: string,
): Promise<VerificationView> {
  const { code } = shown;
  try {
    const { status, issuer, issuedAt, genuine } = await issuedDocuments.verify(shown);
    const state = status === 'withdrawn' ? status : genuine === undefined ? 'exists' : genuine ? 'genuine' : 'altered';
    return { code, state, issuer, issuedAt: timeInWords(issuedAt, locale, 'UTC') };
  } catch (error) {
    if (error instanceof Problem && error.code === 'verification_code_not_found') return { code, state: 'unknown' };
    throw error;
  }
}
