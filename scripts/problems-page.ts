// Loading a domain declares its problems.
import '../src/domains.ts';
import { problemCatalogue } from '../src/platform/problems.ts';
import { codesOf, type Operation } from '../test/openapi.ts';

const head = `# Problems

This page lists each problem code with its meaning, the next step, and its operations. \`npm run generate\` writes it from the source.
The service shows each code at \`/problems/{code}\`, the \`type\` of the response. [Errors](../errors-and-conventions.md#errors) explains the format.
`;

/** Maximum number of listed operations. A longer list does not help a reader. */
const maxNamed = 12;

/** Describes the operations that return a code with any status. */
function operationsOf(code: string, operations: readonly Operation[], ids: (operation: Operation) => string): string {
  const own = operations.filter(({ responses }) =>
    Object.keys(responses).some((status) => status !== 'default' && codesOf({ responses }, Number(status)).includes(code)),
  );
  if (own.length === 0) {
    const [any] = operations;
    const redirected = code.startsWith('sso_') && '`finishSsoLogin` adds it to the URL of its redirect.';
    return any && codesOf(any, 'default').includes(code)
      ? 'Any operation can return it.'
      : redirected || 'No operation returns it directly.';
  }
  if (own.length > maxNamed) return `${own.length} operations return it. The API reference lists it for each of them.`;
  return `Operations: ${own.map((operation) => `\`${ids(operation)}\``).join(', ')}.`;
}

/** Generates docs/reference/generated/problems.md from the problem catalogue and the API description. */
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
