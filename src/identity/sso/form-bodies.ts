import type { App } from '../../platform/http/server.ts';
import { problems } from '../../platform/problems.ts';

/** Accepts only forms in this scope. Each parameter may occur once. */
export function formBodies(scope: App): App {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, text, done) => {
    const pairs = [...new URLSearchParams(text as string)];
    const isUnique = new Set(pairs.map(([name]) => name)).size === pairs.length;
    if (isUnique) done(null, Object.fromEntries(pairs));
    else done(problems.bad_request('A parameter is repeated. Send each parameter once.'));
  });
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _bytes, done) => {
    done(problems.unsupported_media_type('Send the parameters as application/x-www-form-urlencoded.'));
  });
  return scope;
}
