import type { Answer, AskModel, Prompt, ModelQuestion } from './ask.ts';

const label = '(Canned response: no data was sent to a model.)';

/** Returns the results of the tools so far, by the name of the tool. */
function resultsIn(prompt: Prompt): Map<string, string> {
  const parts = prompt.flatMap((message) => (message.role === 'tool' ? message.content : []));
  return new Map(
    parts.flatMap((part) =>
      part.type === 'tool-result' && part.output.type === 'text' ? [[part.toolName, part.output.value] as const] : [],
    ),
  );
}

const firstId = (result: string | undefined): string | undefined => /"id":"([0-9a-f-]{36})"/.exec(result ?? '')?.[1];

/** Returns the next call: search for a document, read it, and then create a task if the agent has that tool. */
function nextCall({ prompt, tools }: ModelQuestion): Answer['calls'][number] | undefined {
  const results = resultsIn(prompt);
  const has = (name: string) => tools.some((tool) => tool.name === name) && !results.has(name);
  const found = firstId(results.get('search_documents'));
  if (has('search_documents')) return { tool: 'search_documents', input: JSON.stringify({ limit: 5 }) };
  if (found !== undefined && has('get_document')) return { tool: 'get_document', input: JSON.stringify({ id: found }) };
  if (found !== undefined && has('create_task'))
    return { tool: 'create_task', input: JSON.stringify({ title: 'Review the findings of the agent', documentId: found }) };
  return undefined;
}

/** Returns the first of the outcomes in the message, if it has any. */
function wantedOutcome(prompt: Prompt): string[] {
  const userParts = prompt.flatMap((message) => (message.role === 'user' ? message.content : []));
  const text = userParts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  return /^Outcome: .+$/m.exec(text)?.slice(0, 1) ?? [];
}

/** A simulated model for trials. It sends no data, calls a few tools in a fixed order, and lists them. Each response is marked as simulated. */
export const askSimulatedModel: AskModel = async (question) => {
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
