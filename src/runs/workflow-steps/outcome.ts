/** What the agent is told of a step: what to do, about what, and how to say how it ends. */
export function messageFor({
  message,
  workflow,
  outcomes,
}: {
  message: string;
  workflow: { name: string; documentId: string };
  outcomes: readonly string[] | undefined;
}): string {
  const about = `This is a step of the workflow “${workflow.name}”, which is about the document ${workflow.documentId}.`;
  const ends = outcomes?.map((one) => `Outcome: ${one}`).join('\n');
  return [
    message,
    about,
    ...(ends === undefined ? [] : [`The last line of your answer says how the step ends. It is exactly one of:\n${ends}`]),
  ].join('\n\n');
}

/** How the agent says that a step ends, by the last such line; nothing where it says none that there is. */
export function outcomeOf(summary: string | null, outcomes: readonly string[] | undefined): string | undefined {
  if (outcomes === undefined) return 'completed';
  const said = [...(summary ?? '').matchAll(/^[\s*_#>-]*outcome:[\s*_`]*(.*?)[\s*_`.]*$/gim)].at(-1)?.[1]?.toLowerCase();
  return outcomes.find((one) => one.toLowerCase() === said);
}
