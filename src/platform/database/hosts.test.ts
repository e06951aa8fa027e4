import assert from 'node:assert/strict';
import { test } from 'node:test';
import { urlPerHost } from './hosts.ts';

test('a URL with several hosts becomes one URL per host, with the same user, database and parameters', () => {
  for (const [url, expected] of [
    ['postgres://a:p%40@one/db', ['postgres://a:p%40@one/db']],
    [
      'postgresql://a:p@one:5432,two:5433,[::1]:5434/db?target_session_attrs=read-write&sslmode=disable',
      ['one:5432', 'two:5433', '[::1]:5434'].map((host) => `postgresql://a:p@${host}/db?target_session_attrs=read-write&sslmode=disable`),
    ],
    ['postgres://one,two', ['postgres://one', 'postgres://two']],
    [
      'postgres://a@h/db?host=/run/one,/run/two&port=5432,5433',
      ['postgres://a@h/db?host=%2Frun%2Fone&port=5432', 'postgres://a@h/db?host=%2Frun%2Ftwo&port=5433'],
    ],
    ['postgres://a@h/db?host=x,y&port=6', ['postgres://a@h/db?host=x&port=6', 'postgres://a@h/db?host=y&port=6']],
  ] as const)
    assert.deepEqual(urlPerHost(url), expected, url);
});

test('an invalid list of hosts is rejected with the reason', () => {
  for (const [url, reason] of [
    ['mysql://h/db', /must look like/],
    ['postgres://h:port,h2/db', /must look like/],
    ['postgres://h,/db?target_session_attrs=standby', /read-write or primary/],
    ['postgres://h?target_session_attrs=any', /read-write or primary/],
    ['postgres:///db?host=a,b&port=1,2,3', /one port, or one for each host/],
    [`postgres://${Array.from({ length: 9 }, (_, n) => `h${n}`).join(',')}/db`, /at most 8 hosts/],
  ] as const)
    assert.throws(() => urlPerHost(url), reason, url);
});
