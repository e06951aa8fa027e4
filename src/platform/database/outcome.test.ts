import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { wasUndone } from './outcome.ts';

const answered = (severity: string, code: string) =>
  wasUndone(Object.assign(new pg.DatabaseError('what happened', 13, 'error'), { severity, code }));

test('an error that the database answered with has undone the transaction, in whichever language it says so', () => {
  for (const severity of ['ERROR', 'FEHLER', 'ERREUR', 'エラー'])
    for (const code of ['23505', '22P02', '40P01', '25P02', '55P03', '57014', 'QX001', 'CR401'])
      assert.equal(answered(severity, code), true, `${severity} ${code}`);
  assert.equal(answered('ERROR', '58030'), true);
});

test('after one that ended the connection nobody knows, nor where the code may be of either', () => {
  for (const severity of ['FATAL', 'PANIC', 'PANIK', 'SCHWERWIEGEND'])
    for (const code of ['57P01', '57P02', '25P03', '25P04', '08006', '58030', '53100', 'XX000'])
      assert.equal(answered(severity, code), false, `${severity} ${code}`);
  assert.equal(wasUndone(new Error('Connection terminated unexpectedly')), false);
});
