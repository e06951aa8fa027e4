import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BookingsForPages } from '#bookings';
import { chooseLocale, messageLocales } from '#fields';
import type { FormsForPages } from '#forms';
import type { IssuedDocuments } from '#issued-documents';
import type { Verifying } from '#signatures';
import type { Problem } from '../../../platform/problems.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import { appWords } from '../app/words/index.ts';
import { answerPage } from './answer.ts';
import { dash } from './marks.ts';
import { message } from './messages.ts';
import type { Assets } from './assets.ts';
import { refusalOf, refusalView } from './refusals.ts';
import type { PublicPage } from './shell.ts';
import { wordsFor } from './words/index.ts';

/** The dependencies of public pages. */
export type PublicPages = {
  /** The path prefix of the public address of the service. */
  base: string;
  assets: Assets;
  forms: FormsForPages;
  /** The path prefix of forms: published forms or previews of drafts. */
  formsAt: '/f' | '/preview';
  bookings: BookingsForPages;
  issuedDocuments: Pick<IssuedDocuments, 'verify'>;
  /** Verifies signed files. */
  verifying: Verifying;
  storage: Storage;
};

const service = { name: 'Chancery' };

/** Returns the language of a page of the service: the one in the address, otherwise the preference of the browser. */
export function ownLocale(request: FastifyRequest, given?: string): string {
  const { locale } = request.query as { locale?: unknown };
  const wanted = given ?? (typeof locale === 'string' ? locale : undefined);
  return chooseLocale({ wanted, accepted: request.headers['accept-language'] }, messageLocales, 'en');
}

/** Returns the language in the address, so that links to other pages keep it; undefined if the address has none. */
export function requestedLocale(request: FastifyRequest): string | undefined {
  const { locale } = request.query as { locale?: unknown };
  return typeof locale === 'string' ? ownLocale(request) : undefined;
}

/** Sends a page of the service, in one of its languages. */
export function ownPage(
  { base, assets }: PublicPages,
  request: FastifyRequest,
  reply: FastifyReply,
  page: Pick<PublicPage, 'title' | 'body' | 'path'> & Partial<PublicPage>,
): FastifyReply {
  return answerPage(reply, assets, {
    locale: ownLocale(request),
    brand: service,
    script: 'page',
    ...page,
    title: `${page.title} · ${service.name}`,
    path: `${base}${page.path}`,
  });
}

/** Sends an error as a page, because visitors cannot read problem documents. */
export function answerProblem(pages: PublicPages, request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
  const locale = ownLocale(request);
  const refusing = { words: wordsFor(locale).words, signIn: appWords(locale).signIn };
  reply.code(problem.status).headers(problem.headers);
  if (request.is404) {
    const { unknown: title, unknownText: text } = refusing.words.refused;
    return ownPage(pages, request, reply, { title, body: message({ mark: dash, tone: 'off', title, text }), path: '/' });
  }
  return ownPage(pages, request, reply, {
    title: refusalOf(problem, refusing).title,
    body: refusalView(problem, refusing),
    path: '/',
  });
}
