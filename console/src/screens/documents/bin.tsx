import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { api, countItems, ok, page } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { List, pageRows } from '../../parts/list.tsx';
import { Name } from '../../parts/name.tsx';
import { Screen } from '../../parts/screen.tsx';
import { Empty } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { toast } from '../../parts/toasts.tsx';
import { ProblemNotice } from '../../problems/problem-notice.tsx';
import { useTexts } from '../../texts/texts.ts';
import { documentTexts } from './texts.ts';

/** The documents in the bin, the last one first. */
export function DocumentBin(): JSX.Element {
  const words = useTexts(documentTexts);
  const client = useQueryClient();
  const { error, isBusy, run } = useAction();
  const restore = (id: string, title: string) =>
    run(async () => {
      await ok(api.POST('/api/v1/smartdoc/documents/{id}/restore', { params: { path: { id } } }));
      await client.invalidateQueries({ queryKey: ['document'] });
      toast(words.restored(title));
    });
  return (
    <Screen title={words.bin} actions={<Link to="/documents">{words.allDocuments}</Link>}>
      {error !== undefined && <ProblemNotice error={error} />}
      <List
        label={words.bin}
        queryKey={['document', 'list', 'bin']}
        read={(cursor) =>
          page(
            api.GET('/api/v1/smartdoc/documents/bin', {
              params: { query: { sort: '-updatedAt', limit: pageRows, cursor }, header: countItems },
            }),
          )
        }
        to={({ id }) => `/documents/${id}`}
        title={({ title }) => title}
        columns={[
          { header: words.title, cell: ({ title }) => title },
          { header: words.owner, cell: ({ userId }) => <Name id={userId} isMember />, wide: true },
          { header: words.deleted, cell: ({ deletedAt }) => deletedAt !== undefined && <Time at={deletedAt} />, narrow: true },
        ]}
        actions={({ id, title }) => (
          <Button
            variant="default"
            size="xs"
            disabled={isBusy}
            aria-label={words.restoreTitle(title)}
            onClick={() => void restore(id, title)}
          >
            {words.restore}
          </Button>
        )}
        empty={<Empty title={words.binEmpty}>{words.binText}</Empty>}
      />
    </Screen>
  );
}
