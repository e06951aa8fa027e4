/** Writes the instruction of a step for the agent: the work, the document, and the possible outcomes. */
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
    ...(ends === undefined ? [] : [`End your response with the outcome of the step, as exactly one of these lines:\n${ends}`]),
  ].join('\n\n');
}

/** Returns the outcome of a step from the last outcome line of the agent, or nothing if that line is missing or unknown. */
export function outcomeOf(summary: string | null, outcomes: readonly string[] | undefined): string | undefined {
  if (outcomes === undefined) return 'completed';
  const lines = (summary ?? '').split(/\r?\n/).filter((line) => line.length <= longestLine);
  const said = lines.findLast((line) => /^[\s*_#>-]*outcome:/i.test(line))?.replace(/^[^:]*:/, '');
  const bare = said?.replaceAll(/^[\s*_`]+|[\s*_`.]+$/g, '').toLowerCase();
  return outcomes.find((one) => one.toLowerCase() === bare);
}

/** The maximum length of an outcome line. A search for the end of a longer line would block the event loop. */
const longestLine = 1_000;
