import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { api, ok } from '../../api.ts';
import { Name } from '../../parts/name.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import { type CallOfTask, callOf, type CallTarget, wordsOf } from './call.ts';
import type { Task } from './queries.ts';
import styles from './task.module.css';
import { callTexts, taskTexts } from './texts.ts';

const isId = (value: string) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);

/** Returns a function that names the action of a tool. */
function useToolWords(): (tool: string) => string {
  const { tools }: { tools: Readonly<Record<string, string>> } = useTexts(callTexts);
  return (tool) => tools[tool] ?? wordsOf(tool).toLowerCase();
}

/** Returns a function that returns the title of a task: of a call as a sentence, of others as it is. */
export function useTaskTitle(): (task: { type: string; title: string; description?: string }) => string {
  const toolWords = useToolWords();
  return (task) => {
    const call = callOf(task);
    return call === undefined ? task.title : `${call.caller}: ${toolWords(call.tool)}`;
  };
}

/** A tool call that waits for a decision: its action, its entries, and changes of its target since the question. */
export function CallView({ task, call }: { task: Task; call: CallOfTask }): JSX.Element {
  const { call: words } = useTexts(taskTexts);
  const { entries }: { entries: Readonly<Record<string, string>> } = useTexts(callTexts);
  const tool = useToolWords()(call.tool);
  return (
    <section className={styles.section}>
      <h3>{words.title}</h3>
      <p>{task.type === 'tool_outcome' ? words.happened(call.caller, tool) : words.asks(call.caller, tool)}</p>
      {task.type === 'tool_outcome' && <p>{words.check}</p>}
      {call.arguments.length === 0 ? (
        <p className="soft">{words.none}</p>
      ) : (
        <table className={styles.call}>
          <thead className="apart">
            <tr>
              <th scope="col">{words.argument}</th>
              <th scope="col">{words.value}</th>
            </tr>
          </thead>
          <tbody>
            {call.arguments.map(([name, value]) => (
              <tr key={name}>
                <th scope="row" title={name}>
                  {entries[name] ?? wordsOf(name)}
                </th>
                <td>{isId(value) ? <Name id={value} /> : value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {call.target && <Target target={call.target} requestedAt={task.createdAt} />}
      <p className="soft">
        {words.tool}: <code>{call.tool}</code>
      </p>
    </section>
  );
}

/** Reads when a resource changed, for the kinds that a call can change. */
const readChange: Readonly<Record<string, (id: string) => Promise<{ updatedAt: string }>>> = {
  task: (id) => ok(api.GET('/api/v1/tasks/{id}', { params: { path: { id } } })),
  document: (id) => ok(api.GET('/api/v1/smartdoc/documents/{id}', { params: { path: { id } } })),
  workflow: (id) => ok(api.GET('/api/v1/workflows/{id}', { params: { path: { id } } })),
  registry: (id) => ok(api.GET('/api/v1/registries/{id}', { params: { path: { id } } })),
};

function Target({ target: { kind, title, id }, requestedAt }: { target: CallTarget; requestedAt: string }): JSX.Element {
  const { call: words } = useTexts(taskTexts);
  const read = readChange[kind];
  const { data, isError } = useQuery({
    queryKey: [kind, id, 'change'],
    queryFn: () => (read ? read(id) : Promise.reject(new Error(kind))),
    enabled: read !== undefined,
    retry: false,
  });
  const isChanged = data !== undefined && data.updatedAt > requestedAt;
  return (
    <p className={isChanged ? styles.warning : undefined}>
      {words.target}: <strong>{title}</strong>.{' '}
      {data !== undefined && (
        <>
          {isChanged ? words.changed : words.same}{' '}
          <span className="soft">
            {words.changedAt}: <Time at={data.updatedAt} />
          </span>
        </>
      )}
      {isError && <span className="soft">{words.hidden}</span>}
    </p>
  );
}
