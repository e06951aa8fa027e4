import type { Answer, AskModel, Prompt, Question } from './ask.ts';

const label = '(Canned answer: no model was asked.)';

/** What the tools have answered so far, by their names. */
function resultsIn(prompt: Prompt): Map<string, string> {
  const parts = prompt.flatMap((message) => (message.role === 'tool' ? message.content : []));
  return new Map(
    parts.flatMap((part) =>
      part.type === 'tool-result' && part.output.type === 'text' ? [[part.toolName, part.output.value] as const] : [],
    ),
  );
}

const firstId = (result: string | undefined): string | undefined => /"id":"([0-9a-f-]{36})"/.exec(result ?? '')?.[1];

/** What is called next: a document is looked for, then read; then a comment or task is made where the agent may. */
function nextCall({ prompt, tools }: Question): Answer['calls'][number] | undefined {
  const results = resultsIn(prompt);
  const has = (name: string) => tools.some((tool) => tool.name === name) && !results.has(name);
  const found = firstId(results.get('search_documents'));
  if (has('search_documents')) return { tool: 'search_documents', input: JSON.stringify({ limit: 5 }) };
  if (found !== undefined && has('get_document')) return { tool: 'get_document', input: JSON.stringify({ id: found }) };
  if (found !== undefined && has('create_task'))
    return { tool: 'create_task', input: JSON.stringify({ title: 'Review the findings of the agent', documentId: found }) };
  return undefined;
}

/** Where the message names outcomes, the first of them. */
function wantedOutcome(prompt: Prompt): string[] {
  const told = prompt.flatMap((message) => (message.role === 'user' ? message.content : []));
  const text = told.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  return /^Outcome: .+$/m.exec(text)?.slice(0, 1) ?? [];
}

/**
 * A model for trying out: asks nobody, calls a few tools in a fixed order, and says what came of it. Each of its answers says that it is
 * a canned one.
 */
export const askNobody: AskModel = async (question) => {
  question.signal.throwIfAborted();
  const call = nextCall(question);
  const results = resultsIn(question.prompt);
  const called = `These tools were called: ${[...results.keys()].join(', ') || 'none'}.`;
  const text = call === undefined ? [`${label} ${called}`, ...wantedOutcome(question.prompt)].join('\n') : label;
  question.onText?.(text);
  const sent = Math.ceil(JSON.stringify(question.prompt).length / 4);
  return {
    text,
    calls: call === undefined ? [] : [call],
    usage: { input: sent, output: Math.ceil(text.length / 4) },
    finish: call === undefined ? 'stop' : 'tool-calls',
  };
};
