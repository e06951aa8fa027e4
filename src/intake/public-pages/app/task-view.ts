import type { DocumentsForPages } from '#documents';
import type { TasksForPages } from '#tasks';
import { attributes, type Content, type Html, html } from '../../../platform/http/html.ts';
import { dash, tick } from '../public/marks.ts';
import { facts, message } from '../public/messages.ts';
import { fill } from '../public/words/index.ts';
import { tasksPath } from './next.ts';
import type { AppWords } from './words/index.ts';

export type ShownTask = Awaited<ReturnType<TasksForPages['show']>>;
export type ShownDocument = Awaited<ReturnType<DocumentsForPages['show']>>;
export type OpenTasks = Awaited<ReturnType<TasksForPages['open']>>;

/** A page for a person, in a language. `path` is its address. */
export type TaskAt = { path: string; base: string; locale: string; words: AppWords; email: string; team: string };

type TaskFormDraft = { comment: string; notice?: string };

/** The page of a task with its document, and with its outcomes as buttons. */
export function taskView(at: TaskAt, shown: ShownTask, document: ShownDocument, draft: TaskFormDraft): Html {
  const { task } = shown;
  const { task: words } = at.words;
  const due = task.dueDate === undefined ? [] : [[words.due, moment(at.locale, task.dueDate, shown.timeZone)] as const];
  const creator = shown.givenBy === undefined ? [] : [[words.givenBy, html`<bdi>${shown.givenBy}</bdi>`] as const];
  const known = [...creator, ...due];
  return html`<div class="intro">
      <p class="kicker">${fill(words.kicker, { team: at.team })}</p>
      <h1 tabindex="-1"><bdi>${task.title}</bdi></h1>
      ${task.description !== undefined && html`<p class="lead" dir="auto">${task.description}</p>`}
    </div>
    ${draft.notice !== undefined && html`<p class="notice" role="alert">${draft.notice}</p>`}${known.length > 0 && facts(known)}
    ${task.documentId !== undefined && documentView(at, document)} ${task.status === 'open' ? doing(at, shown, draft) : ended(at, shown)}
    ${footer(at)}`;
}

function moment(locale: string, time: string, timeZone: string): string {
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  }).format(new Date(time));
}

const unit = { kilobyte: 1_000, megabyte: 1_000_000 } as const;

function sizeOf(locale: string, bytes: number): string {
  const name = bytes < unit.megabyte ? 'kilobyte' : 'megabyte';
  const value = Math.max(bytes / unit[name], 0.1);
  return new Intl.NumberFormat(locale, { style: 'unit', unit: name, maximumFractionDigits: value < 10 ? 1 : 0 }).format(value);
}

function documentView(at: TaskAt, document: ShownDocument): Html {
  const { task: words } = at.words;
  if (!document) return html`<p class="notice">${words.noDocument}</p>`;
  const { number, size } = document;
  return html`<section class="card document" aria-labelledby="document">
    <h2 id="document">${words.document}</h2>
    ${
      document.hasPreview &&
      html`<img class="leaf" src="${at.path}/preview.webp?version=${number}" alt="${fill(words.preview, { title: document.title })}" />`
    }
    <p class="name" dir="auto">${document.title}</p>
    <p class="soft"><bdi>${document.fileName}</bdi> · ${fill(words.version, { number, size: sizeOf(at.locale, size) })}</p>
    <p class="actions">
      <a class="button second" href="${at.path}/document?version=${number}" download>${words.download}</a>
    </p>
  </section>`;
}

/** Returns the label of an outcome: translated for built-in outcomes, and as written by the author of the step for others. */
export function outcomeWord({ task }: AppWords, outcome: string): string {
  return Object.hasOwn(task.outcomes, outcome) ? task.outcomes[outcome as keyof typeof task.outcomes] : outcome;
}

/** Negative outcomes, whose buttons look different. */
const refusing = new Set(['rejected', 'denied', 'declined', 'cancel']);

function doing(at: TaskAt, { task, outcomes, refusal }: ShownTask, { comment }: TaskFormDraft): Html {
  const { task: words } = at.words;
  if (refusal !== undefined) return html`<p class="notice">${words.refused[refusal]}</p>`;
  if (outcomes.length === 0)
    return form(
      at,
      html`<p>${words.formIntro}</p>
        <div class="actions"><button class="button" name="_do" value="form">${words.openForm}</button></div>`,
    );
  const content = html`<h2>${words.decide}</h2>
    ${task.type === 'signature' && html`<p>${words.signIntro}</p>`}
    <input type="hidden" name="_do" value="complete" />
    <input type="hidden" name="version" ${attributes({ value: task.documentVersion })} />
    <div class="field">
      <label class="question" for="comment">${words.comment}</label>
      <textarea id="comment" name="comment" maxlength="4000" dir="auto">${comment}</textarea>
    </div>
    <div class="actions">
      ${outcomes.map(
        (outcome, place) =>
          html`<button class="button${styleOf(outcome, place)}" name="outcome" value="${outcome}">
            ${outcomeWord(at.words, outcome)}
          </button>`,
      )}
    </div>`;
  return form(at, content);
}

function styleOf(outcome: string, place: number): string {
  if (refusing.has(outcome)) return ' danger';
  return place === 0 ? '' : ' second';
}

const form = ({ path, locale }: TaskAt, content: Content) =>
  html`<form class="decision" method="post" action="${path}"><input type="hidden" name="locale" value="${locale}" />${content}</form>`;

function ended(at: TaskAt, { task }: ShownTask): Html {
  const { task: words } = at.words;
  const outcome = task.outcome === undefined ? undefined : outcomeWord(at.words, task.outcome);
  if (task.status === 'cancelled') return message({ mark: dash, tone: 'off', title: words.cancelled, text: words.cancelledText });
  const comment = task.comment !== undefined && html`<blockquote class="note"><p dir="auto">${task.comment}</p></blockquote>`;
  const isRejected = task.status === 'rejected';
  const title = isRejected ? fill(words.rejected, { outcome: outcome ?? '' }) : words.done;
  const text = isRejected || outcome === undefined ? undefined : fill(words.doneOutcome, { outcome });
  return message({ mark: tick, title, text, more: comment });
}

function footer({ base, path, locale, words, email }: TaskAt): Html {
  const isList = path === `${base}${tasksPath}`;
  return html`<div class="person">
    ${!isList && html`<a href="${base}${tasksPath}?locale=${locale}">${words.task.all}</a>`}
    <form method="post" action="${base}/app/sign-out">
      <input type="hidden" name="next" value="${path.slice(base.length)}" /><input type="hidden" name="locale" value="${locale}" />
      <span class="soft">${fill(words.signedInAs, { email })}</span> <button class="link">${words.signOut}</button>
    </form>
  </div>`;
}

/** The page with the open tasks of a person. */
export function tasksView(at: TaskAt, { tasks: open, timeZone }: OpenTasks): Html {
  const { tasks } = at.words;
  return html`<div class="intro"><h1 tabindex="-1">${tasks.title}</h1></div>
    ${
      open.length === 0
        ? html`<p class="lead">${tasks.none}</p>`
        : html`<ul class="tasks">
            ${open.map(
              ({ id, title, dueDate }) =>
                html`<li class="card">
                  <a href="${at.path}/${id}?locale=${at.locale}"><bdi>${title}</bdi></a>
                  ${dueDate !== undefined && html`<span class="soft">${fill(tasks.due, { date: moment(at.locale, dueDate, timeZone) })}</span>`}
                </li>`,
            )}
          </ul>`
    }
    ${footer(at)}`;
}
