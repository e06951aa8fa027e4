import { Button } from '@mantine/core';
import type { AccessGrant, Document } from '@chancery/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { JSX } from 'react';
import { api, ok } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { Icon } from '../../parts/icons.tsx';
import { Name } from '../../parts/name.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { toast } from '../../parts/toasts.tsx';
import { ProblemNotice } from '../../problems/problem-notice.tsx';
import { useTexts } from '../../texts/texts.ts';
import { ShareForm } from '../documents/share-form.tsx';
import { documentTexts } from '../documents/texts.ts';
import styles from './document.module.css';
import { pageTexts } from './texts.ts';

/** Who can see a document, and why. */
export function AccessTab({ document: { id } }: { document: Document }): JSX.Element {
  const words = useTexts(pageTexts);
  const { share } = useTexts(documentTexts);
  const client = useQueryClient();
  const { error, isBusy, run } = useAction();
  const query = useQuery({
    queryKey: ['document', id, 'access'],
    queryFn: () => ok(api.GET('/api/v1/smartdoc/documents/{id}/access', { params: { path: { id } } })),
  });
  if (query.isPending) return <Loading />;
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />;
  const { grants, privilegedAccess } = query.data;
  const revoke = (grantId: string) =>
    run(async () => {
      await ok(api.DELETE('/api/v1/smartdoc/documents/{id}/access/{grantId}', { params: { path: { id, grantId } } }));
      await client.invalidateQueries({ queryKey: ['document', id] });
      toast(words.revoked);
    });
  return (
    <div className={styles.part}>
      {error !== undefined && <ProblemNotice error={error} />}
      {grants.some(({ barred }) => barred) && (
        <p className={styles.hold}>
          <Icon name="lock" size={16} />
          {words.barrier}
        </p>
      )}
      <table className={styles.table}>
        <caption className="apart">{words.tabs.access}</caption>
        <thead>
          <tr>
            {[words.who, words.access, words.why, words.since].map((header) => (
              <th key={header} scope="col">
                {header}
              </th>
            ))}
            <th scope="col">
              <span className="apart">{words.revoke}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {grants.map((grant, at) => (
            <GrantRow key={grant.id ?? at} grant={grant} isBusy={isBusy} revoke={(grantId) => void revoke(grantId)} />
          ))}
        </tbody>
      </table>
      <h2>{share.replace('…', '')}</h2>
      <div className={styles.form}>
        <ShareForm key={grants.length} target={{ documentId: id }} />
      </div>
      {privilegedAccess.length > 0 && (
        <>
          <h2>{words.byRole}</h2>
          <p className="soft">{words.byRoleText}</p>
          <ul className={styles.steps}>
            {privilegedAccess.map((one) => (
              <li key={one.id}>
                <span className={styles.grow}>
                  <Name id={one.userId} />
                  {one.version !== undefined && ` · ${words.version(one.version)}`}
                </span>
                <Time at={one.at} />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

type RowProps = { grant: AccessGrant; isBusy: boolean; revoke: (grantId: string) => void };

function GrantRow({ grant, isBusy, revoke }: RowProps): JSX.Element {
  const words = useTexts(pageTexts);
  const { id, userId, groupId, clientId, team, access, reason, grantedBy, since, folderId, barred } = grant;
  return (
    <tr>
      <th scope="row">
        {team ? words.wholeTeam : <Name id={userId ?? groupId ?? clientId} />}
        {barred && <span className="soft"> · {words.barred}</span>}
      </th>
      <td>{words.rights[access]}</td>
      <td>
        {words.reasons[reason]}
        {folderId !== undefined && (
          <>
            {' · '}
            <Name id={folderId} />
          </>
        )}
        {grantedBy !== undefined && (
          <span className="soft">
            {' '}
            {words.grantedBy} <Name id={grantedBy} />
          </span>
        )}
      </td>
      <td>{since !== undefined && <Time at={since} />}</td>
      <td className={styles.last}>
        {id !== undefined && reason === 'share' && folderId === undefined && (
          <Button variant="default" size="xs" disabled={isBusy} onClick={() => revoke(id)}>
            {words.revoke}
          </Button>
        )}
      </td>
    </tr>
  );
}
