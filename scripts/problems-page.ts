// The domains declare their problems as they are loaded.
import '../src/domains.ts';
import { problemCatalogue } from '../src/platform/problems.ts';
import { codesOf, type Operation } from '../test/openapi.ts';

const head = `# Problems

This page lists each problem code with its meaning, the next step, and its operations. \`npm run generate\` writes it from the source.
The service shows each code at \`/problems/{code}\`, the \`type\` of the response. [Errors](../errors-and-conventions.md#errors) explains the format.
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

/** docs/reference/generated/problems.md, from the catalogue and the description. */
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
