import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { messageLocales } from '#fields';
import type { TasksForPages } from '#tasks';
import { sendContent } from '../../../platform/http/downloads.ts';
import type { Html } from '../../../platform/http/html.ts';
import type { App } from '../../../platform/http/server.ts';
import { Problem, problems } from '../../../platform/problems.ts';
import { ownLocale, ownPage } from '../public/context.ts';
import { requireSameOrigin } from '../public/same-origin.ts';
import { readForm } from '../public/sent-form.ts';
import { tasksPath } from './next.ts';
import { aboutPerson, type AppPages, withPerson } from './person.ts';
import { type TaskAt, tasksView, taskView } from './task-view.ts';
import { appWords } from './words/index.ts';

const config = { access: { kind: 'page' } } as const;
const params = Type.Object({ id: Type.String({ maxLength: 64 }) });
const schema = { hide: true, params };
const filed = {
  hide: true,
  params,
  querystring: Type.Object({ version: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })) }),
  produces: ['*/*'],
};

/** The routes of the task pages for assignees. They work without scripts, which the console needs. */
export function taskPageRoutes(app: App, pages: AppPages): void {
  app.get(tasksPath, { config, schema: { hide: true } }, (request, reply) =>
    withPerson(pages, request, reply, tasksPath, () => showList(pages, request, reply)),
  );
  app.get(`${tasksPath}/:id`, { config, schema }, (request, reply) =>
    withPerson(pages, request, reply, pathOf(request.params.id), () => showTask(pages, request, reply, request.params.id)),
  );
  app.post(`${tasksPath}/:id`, { config, schema }, async (request, reply) => {
    requireSameOrigin(request);
    const sent = new Map(await readForm(request, ({ file }) => Promise.resolve(void file.resume())));
    return withPerson(pages, request, reply, pathOf(request.params.id), () => takeTask(pages, request, reply, request.params.id, sent));
  });
  files(app, pages);
}

function files(app: App, pages: AppPages): void {
  app.get(`${tasksPath}/:id/document`, { config, schema: filed }, (request, reply) => {
    const { id } = request.params;
    return withPerson(pages, request, reply, pathOf(id), async () => {
      const of = documentOf((await pages.tasks.show(request, id)).task, request.query.version);
      if (!of) throw problems.not_found('This task has no document. Open the task to see its contents.');
      return sendContent(request, reply, pages.storage, await pages.documents.content(request, of));
    });
  });
  app.get(`${tasksPath}/:id/preview.webp`, { config, schema: filed }, (request, reply) => {
    const { id } = request.params;
    return withPerson(pages, request, reply, pathOf(id), async () => {
      const of = documentOf((await pages.tasks.show(request, id)).task, request.query.version);
      const picture = of && (await pages.documents.preview(request, of));
      if (!picture) throw problems.not_found('This version has no preview. Download the document instead.');
      return sendContent(request, reply, pages.storage, picture);
    });
  });
}

const pathOf = (id: string) => `${tasksPath}/${encodeURIComponent(id)}`;

/** Returns the document of a task, in the version of the task, or otherwise in the version `shown` by the page. */
const documentOf = ({ id, documentId, documentVersion }: Awaited<ReturnType<TasksForPages['show']>>['task'], shown?: number) =>
  documentId === undefined ? undefined : { id, documentId, number: documentVersion ?? shown };

type TaskPageFrame = Pick<Parameters<typeof ownPage>[3], 'brand'> & { at: TaskAt };

async function placeOf(pages: AppPages, request: FastifyRequest, path: string, given?: string): Promise<TaskPageFrame> {
  const { email, brand } = await aboutPerson(pages, request);
  const locale = ownLocale(request, given);
  return { at: { path: `${pages.base}${path}`, base: pages.base, locale, words: appWords(locale), email, team: brand.name }, brand };
}

function show(
  pages: AppPages,
  request: FastifyRequest,
  reply: FastifyReply,
  { at, brand }: TaskPageFrame,
  { title, body }: { title: string; body: Html },
): FastifyReply {
  return ownPage(pages, request, reply, {
    title,
    body,
    path: at.path.slice(pages.base.length),
    locale: at.locale,
    languages: { locales: messageLocales, form: false },
    ...(brand === undefined ? {} : { brand }),
  });
}

async function showList(pages: AppPages, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const open = await pages.tasks.open(request);
  const shown = await placeOf(pages, request, tasksPath);
  return show(pages, request, reply, shown, { title: shown.at.words.tasks.title, body: tasksView(shown.at, open) });
}

type TaskPageDraft = { locale?: string | undefined; comment: string; notice?: (words: TaskAt['words']) => string };

async function showTask(
  pages: AppPages,
  request: FastifyRequest,
  reply: FastifyReply,
  id: string,
  draft: TaskPageDraft = { comment: '' },
): Promise<FastifyReply> {
  const found = await pages.tasks.show(request, id);
  const of = documentOf(found.task);
  const document = of && (await pages.documents.show(request, of));
  const shown = await placeOf(pages, request, pathOf(id), draft.locale);
  const { words } = shown.at;
  const notice = draft.notice === undefined ? {} : { notice: draft.notice(words) };
  const title = found.task.title;
  return show(pages, request, reply, shown, { title, body: taskView(shown.at, found, document, { comment: draft.comment, ...notice }) });
}

/** Completes a task, and redirects to its page, so that a reload does not send the outcome again. */
async function takeTask(
  pages: AppPages,
  request: FastifyRequest,
  reply: FastifyReply,
  id: string,
  sent: ReadonlyMap<string, string>,
): Promise<FastifyReply> {
  if (sent.get('_do') === 'form') return reply.redirect(`${pages.base}/f/${await pages.taskForm(request, id)}`, 303);
  const comment = (sent.get('comment') ?? '').trim();
  const version = Number(sent.get('version'));
  const locale = ownLocale(request, sent.get('locale'));
  try {
    await pages.tasks.complete(request, id, {
      outcome: sent.get('outcome') ?? '',
      ...(comment === '' ? {} : { comment: comment.slice(0, maxComment) }),
      ...(Number.isInteger(version) && version > 0 ? { documentVersion: version } : {}),
    });
  } catch (error) {
    if (!(error instanceof Problem) || ![403, 409, 422].includes(error.status)) throw error;
    const notice = (words: TaskAt['words']) => (error.status === 409 ? words.task.changed : error.detail);
    return showTask(pages, request, reply.code(error.status), id, { locale, comment, notice });
  }
  return reply.redirect(`${pages.base}${pathOf(id)}?${new URLSearchParams({ locale }).toString()}`, 303);
}

const maxComment = 4_000;
