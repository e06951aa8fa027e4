import type { JSX } from 'react';
import { api, page } from '../../api.ts';
import { List, pageRows } from '../../parts/list.tsx';
import { Empty } from '../../parts/states.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import { pageTexts } from './texts.ts';

/** The signature requests of a document. */
export function SignaturesTab({ id }: { id: string }): JSX.Element {
  const words = useTexts(pageTexts);
  return (
    <List
      label={words.tabs.signatures}
      queryKey={['signature', 'list', { documentId: id }]}
      read={(cursor) =>
        page(api.GET('/api/v1/signatures/', { params: { query: { documentId: id, sort: '-updatedAt', limit: pageRows, cursor } } }))
      }
      to={(request) => `/signatures/${request.id}`}
      title={({ signers }) => signers.map(({ name }) => name).join(', ')}
      columns={[
        { header: words.signers, cell: ({ signers }) => signers.map(({ name }) => name).join(', ') },
        { header: words.versionColumn, cell: ({ documentVersion }) => documentVersion, narrow: true, wide: true },
        { header: words.state, cell: ({ status }) => <Status of="signature" status={status} />, narrow: true },
        { header: words.when, cell: ({ createdAt }) => <Time at={createdAt} />, narrow: true, wide: true },
      ]}
      empty={<Empty title={words.noSignatures}>{words.noSignaturesText}</Empty>}
    />
  );
}
