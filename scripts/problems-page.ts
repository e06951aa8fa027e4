// The domains declare their problems as they are loaded.
import '../src/domains.ts';
import { problemCatalogue } from '../src/platform/problems.ts';
import { codesOf, type Operation } from '../test/openapi.ts';

const head = `# Problems

Every code that the service answers with, what it means and what to do, with the operations that answer with it. This page is made
from the source by \`npm run generate\`; the service shows the same under \`/problems/{code}\`, where the \`type\` of each answer
leads. What an answer looks like: [errors-and-conventions.md](errors-and-conventions.md#errors).
`;

/** More operations than that are no help to a reader. */
const maxNamed = 12;

/** Which operations describe a code, whatever the status that it has there. */
function operationsOf(code: string, operations: readonly Operation[], ids: (operation: Operation) => string): string {
  const own = operations.filter(({ responses }) =>
    Object.keys(responses).some((status) => status !== 'default' && codesOf({ responses }, Number(status)).includes(code)),
  );
  if (own.length === 0) {
    const [any] = operations;
    const redirected = code.startsWith('sso_') && '`finishSsoLogin` says it in the address that it redirects to.';
    return any && codesOf(any, 'default').includes(code)
      ? 'Any request may be answered with it.'
      : redirected || 'No operation answers with it by itself.';
  }
  if (own.length > maxNamed) return `${own.length} operations answer with it; each says so in the reference.`;
  return `Operations: ${own.map((operation) => `\`${ids(operation)}\``).join(', ')}.`;
}

/** docs/problems.md, from the catalogue and the description. */
export function problemsPage(operations: readonly Operation[], ids: (operation: Operation) => string): string {
  const byStatus = [...Map.groupBy(problemCatalogue, ([, { status }]) => status)].toSorted(([one], [other]) => one - other);
  const parts = byStatus.map(([status, problems]) => {
    const entries = problems
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([code, { title, help }]) => `### \`${code}\`\n\n**${title}.** ${help} ${operationsOf(code, operations, ids)}\n`);
    return `\n## ${status}\n\n${entries.join('\n')}`;
  });
  return `${head}${parts.join('')}`;
}
