import { test } from 'node:test';
import { compareDecisions, model, passesStoreTest } from '../../test/access-model.ts';
import { compareRandomTeams } from '../../test/access-teams.ts';
import { interpreter } from '../../test/fga.ts';
import { runs } from '../../test/tier.ts';

const checker = interpreter(model);

passesStoreTest(() => checker);

test('`can` decides like the model', () => compareDecisions(checker, runs(5_000)));

test('checks and lists of random teams equal the model', () => compareRandomTeams(checker, runs(60)));
