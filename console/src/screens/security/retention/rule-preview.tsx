import { Button } from '@mantine/core';
import type { RetentionFate, RetentionRuleRequest } from '@chancery/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { useContext, useState } from 'react';
import { api, page } from '../../../api.ts';
import { dayIn } from '../../../parts/day.ts';
import { Name } from '../../../parts/name.tsx';
import { RowOf, Rows, Section } from '../../../parts/section.tsx';
import { Failed, Loading } from '../../../parts/states.tsx';
import { TimeZone, useFormat } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.ts';
import { retentionTexts } from './texts.ts';

const pageRows = 50;

/** The documents that a rule would cover, and what would happen to each. */
export function RulePreview({ id, rule }: { id: string; rule: RetentionRuleRequest }): JSX.Element {
  const { preview: words } = useTexts(retentionTexts);
  const timeZone = useContext(TimeZone);
  const [today] = useState(() => dayIn(new Date(), timeZone));
  const query = useInfiniteQuery({
    queryKey: ['folder', id, 'retention', 'preview', rule],
    queryFn: ({ pageParam }) =>
      page(
        api.GET('/api/v1/smartdoc/folders/{id}/retention/preview', {
          params: { path: { id }, query: { ...rule, limit: pageRows, cursor: pageParam } },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
  const found = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const due = found.filter(({ action, on }) => action === 'delete' && on !== undefined && on <= today).length;
  return (
    <Section title={words.title}>
      {query.isPending && <Loading rows={3} />}
      {query.isError && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.isSuccess && <p role="status">{found.length === 0 ? words.none : due > 0 ? words.erased(due) : words.notErased}</p>}
      {found.length > 0 && <p className="soft">{words.later}</p>}
      {found.length > 0 && (
        <Rows label={words.title}>
          {found.map((disposition) => (
            <DispositionRow key={disposition.documentId} disposition={disposition} folderId={id} />
          ))}
        </Rows>
      )}
      {query.hasNextPage && (
        <div>
          <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {words.more}
          </Button>
        </div>
      )}
    </Section>
  );
}

function DispositionRow({ disposition, folderId }: { disposition: RetentionFate; folderId: string }): JSX.Element {
  const { preview: words } = useTexts(retentionTexts);
  const format = useFormat();
  const { documentId, title, action, on, ruleFolderId } = disposition;
  return (
    <RowOf
      title={
        <Link to="/documents/$id" params={{ id: documentId }}>
          {title}
        </Link>
      }
      detail={
        <>
          {words.actions[action]} {on === undefined ? `(${words.never})` : `${words.on} ${format.day(on)}`}
          {ruleFolderId !== folderId && (
            <>
              {' '}
              {words.otherRule} <Name id={ruleFolderId} />
            </>
          )}
        </>
      }
    />
  );
}
