import type { JSX } from 'react';
import { Name } from '../../parts/name.tsx';
import { RowOf, Rows } from '../../parts/section.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import { workflowTexts } from './texts.ts';
import { useAccess } from './workflow-data.ts';

/** Who can see a workflow, and why. */
export function AccessTab({ id }: { id: string }): JSX.Element {
  const words = useTexts(workflowTexts);
  const reasons: Readonly<Record<string, string>> = words.reasons;
  const query = useAccess(id);
  if (query.isPending) return <Loading rows={3} />;
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />;
  const people = Map.groupBy(query.data.grants, ({ userId }) => userId);
  return (
    <>
      <p className="soft">{words.accessText}</p>
      <Rows label={words.pageTabs.access}>
        {[...people].map(([userId, grants]) => (
          <RowOf
            key={userId}
            title={<Name id={userId} />}
            detail={grants.map(({ reason, since }, at) => (
              <span key={reason}>
                {at > 0 && ' · '}
                {reasons[reason] ?? words.created} <Time at={since} />
              </span>
            ))}
            actions={<span>{grants.some(({ access }) => access === 'write') ? words.rights.write : words.rights.read}</span>}
          />
        ))}
      </Rows>
    </>
  );
}
