import { useState } from 'react';
import { MapView } from '../../../../shared/map/MapView.tsx';
import { useWords } from '../../../../shared/words.ts';
import { call } from '../../api.ts';
import { type Proposal, useProposals } from '../../data/addresses.ts';
import { useAction } from '../../form.ts';
import { Link } from '../../router.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Lasting } from '../../ui/Lasting.tsx';
import { ErrorBox } from '../../ui/Loaded.tsx';
import { useSteady } from '../../ui/steady.ts';
import { TimeAgo } from '../../ui/texts.tsx';

const SHOWN_MAX = 20;

/** Positions of addresses that drivers propose, until somebody of the central accepts or rejects each. */
export function ProposedAddresses() {
  const t = useWords();
  const proposals = useSteady(useProposals().data) ?? [];
  if (proposals.length === 0) return null;
  const title = t('Endereço proposto por entregador', 'Address proposed by a driver');
  return (
    <section aria-label={title}>
      <h3>
        {title} <Link to="/enderecos-corrigidos">{proposals.length}</Link>
      </h3>
      <ul className="attention-list">
        {proposals.slice(0, SHOWN_MAX).map((proposal) => (
          <ProposalEntry key={proposal.id} proposal={proposal} />
        ))}
      </ul>
    </section>
  );
}

const addressOf = ({ endereco, bairro }: Proposal): string => [endereco, bairro].filter(Boolean).join(', ');

function ProposalEntry({ proposal }: { proposal: Proposal }) {
  const t = useWords();
  const [isChecking, setChecking] = useState(false);
  return (
    <li>
      <Link to={`/entregas/${proposal.id_mch}`} className="attention-entry">
        <span className="attention-head">
          <strong>{proposal.id_mch}</strong>
          <span className="line">{proposal.condutor.nome}</span>
          <span className="soft">
            <TimeAgo at={proposal.em} only="age" />
          </span>
        </span>
        <span className="soft line">{addressOf(proposal)}</span>
      </Link>
      <span className="actions">
        <button type="button" onClick={() => setChecking(true)}>
          {t('Ver proposta', 'See the proposal')}
          <span className="unseen"> {proposal.id_mch}</span>
        </button>
      </span>
      {isChecking && (
        <Lasting onClose={() => setChecking(false)}>
          {(close) => <ProposalDialog proposal={proposal} onClose={close} />}
        </Lasting>
      )}
    </li>
  );
}

function ProposalDialog({ proposal, onClose }: { proposal: Proposal; onClose: () => void }) {
  const t = useWords();
  const { id, condutor, metros } = proposal;
  const refresh = ['deliveries', 'counts', 'corrections'];
  const accept = useAction(() => call('operacao', 'POST /enderecos/propostas/{id}/aceitar', { id }), {
    done: t('Endereço corrigido.', 'Address corrected.'),
    refresh,
    leave: onClose,
  });
  const reject = useAction(() => call('operacao', 'DELETE /enderecos/propostas/{id}', { id }), {
    done: t('Proposta recusada.', 'Proposal rejected.'),
    refresh,
    leave: onClose,
  });
  const isDeciding = accept.isPending || reject.isPending;
  return (
    <Dialog
      wide
      title={t('Endereço proposto por entregador', 'Address proposed by a driver')}
      onClose={onClose}
    >
      <p>
        <strong>{addressOf(proposal)}</strong>
      </p>
      <p className="soft">
        {t(
          `${condutor.nome} propõe este ponto, a ${metros} m de onde a parada estava. Se você aceitar, os próximos pedidos para este endereço, de todas as empresas, vão para ele.`,
          `${condutor.nome} proposes this point, ${metros} m from where the stop was. If you accept it, the next orders for this address, of all companies, lead to it.`,
        )}
      </p>
      <div className="check-map">
        <MapView
          label={t('Mapa: o ponto proposto', 'Map: the proposed point')}
          points={[
            {
              id: 'proposed',
              lat: proposal.lat,
              lng: proposal.lng,
              shape: 'stop',
              letter: '?',
              label: proposal.endereco,
              selected: true,
            },
          ]}
          around={[proposal]}
          aroundKey={id}
        />
      </div>
      <ErrorBox error={accept.error ?? reject.error} />
      <div className="dialog-actions">
        <button type="button" onClick={onClose}>
          {t('Voltar', 'Go back')}
        </button>
        <button type="button" disabled={isDeciding} onClick={() => reject.mutate()}>
          {t('Recusar', 'Reject')}
        </button>
        <button type="button" className="primary" disabled={isDeciding} onClick={() => accept.mutate()}>
          {t('Aceitar este ponto', 'Accept this point')}
        </button>
      </div>
    </Dialog>
  );
}
