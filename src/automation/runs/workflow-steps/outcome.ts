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
  const lines = (summary ?? '').split(/\r?\n/).filter((line) => line.length <= longestLine);
  const said = lines.findLast((line) => /^[\s*_#>-]*outcome:/i.test(line))?.replace(/^[^:]*:/, '');
  const bare = said?.replaceAll(/^[\s*_`]+|[\s*_`.]+$/g, '').toLowerCase();
  return outcomes.find((one) => one.toLowerCase() === bare);
}

/** A line that says an outcome is no longer than this. In a longer one it would take time to find where it ends, which others wait for. */
const longestLine = 1_000;
