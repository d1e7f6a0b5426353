import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useWords } from '../../../../shared/words.ts';
import { type Answer, call } from '../../api.ts';
import type { Driver } from '../../data/registers.ts';
import { useAction } from '../../form.ts';
import { ConfirmButton, Dialog } from '../../ui/Dialog.tsx';
import { Empty, ErrorBox, Loaded } from '../../ui/Loaded.tsx';
import { QrCode } from '../../ui/QrCode.tsx';
import { Copy, TimeAgo } from '../../ui/texts.tsx';

type Invitation = Answer<'operacao', 'POST /condutores/{id}/convites'>;

/** The phones of a driver, and an invitation for another one. */
export function DriverPhones({
  driver,
  onClose,
}: {
  driver: Pick<Driver, 'id' | 'nome'>;
  onClose: () => void;
}) {
  const t = useWords();
  const devices = useQuery({
    queryKey: ['drivers', driver.id, 'devices'],
    queryFn: () => call('operacao', 'GET /condutores/{id}/aparelhos', { id: driver.id }),
  });
  const invite = useAction(() => call('operacao', 'POST /condutores/{id}/convites', { id: driver.id }));
  return (
    <Dialog title={t(`Celulares de ${driver.nome}`, `Phones of ${driver.nome}`)} onClose={onClose} wide>
      <Loaded query={devices}>
        {(phones) =>
          phones.length === 0 ? (
            <Empty title={t('Nenhum celular conectado', 'No phone is signed in')}>
              {t(
                'Crie um convite e mostre o QR ao entregador: ele aponta a câmera e entra, sem senha.',
                'Make an invitation and show the QR code to the driver, who points the camera and is signed in without a password.',
              )}
            </Empty>
          ) : (
            <ul className="phones">
              {phones.map((phone) => (
                <li key={phone.id}>
                  <span>
                    <strong>{phone.nome}</strong>
                    <span className="second soft">
                      {t('visto ', 'seen ')}
                      <TimeAgo at={phone.visto_em} only="age" />
                      {phone.bateria !== null &&
                        t(` · bateria ${phone.bateria}%`, ` · battery ${phone.bateria}%`)}
                      {phone.versao !== null && t(` · aplicativo ${phone.versao}`, ` · app ${phone.versao}`)}
                    </span>
                  </span>
                  <EndPhone driver={driver} phone={phone} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {invite.data ? (
        <Invite invitation={invite.data} />
      ) : (
        <p>
          <button
            type="button"
            className="primary"
            disabled={invite.isPending}
            onClick={() => invite.mutate()}
          >
            {t('Convidar por QR ou link', 'Invite by QR code or link')}
          </button>
        </p>
      )}
      <ErrorBox error={invite.error} />
    </Dialog>
  );
}

function EndPhone({
  driver,
  phone,
}: {
  driver: Pick<Driver, 'id' | 'nome'>;
  phone: { id: string; nome: string };
}) {
  const t = useWords();
  const queries = useQueryClient();
  return (
    <ConfirmButton
      label={t('Desconectar', 'Sign out')}
      title={t(`Desconectar ${phone.nome}?`, `Sign ${phone.nome} out?`)}
      what={t(
        `${driver.nome} sai do aplicativo neste celular agora e precisa de outro convite para voltar.`,
        `${driver.nome} is signed out on this phone now and needs another invitation to return.`,
      )}
      act={t('Desconectar', 'Sign out')}
      danger
      onConfirm={async () => {
        await call('operacao', 'DELETE /condutores/{id}/aparelhos/{aparelho_id}', {
          id: driver.id,
          aparelho_id: phone.id,
        });
        await queries.invalidateQueries({ queryKey: ['drivers'] });
      }}
    />
  );
}

/** Shown once: the server keeps only a digest of the code. */
function Invite({ invitation: { link, codigo, expira_em } }: { invitation: Invitation }) {
  const t = useWords();
  if (link === null || codigo === null) return null;
  return (
    <section className="invite" aria-label={t('Convite', 'Invitation')}>
      <QrCode text={link} label={t('QR do convite', 'QR code of the invitation')} />
      <div>
        <p>
          {t(
            'Aponte a câmera do celular para o QR, ou envie o link só para o entregador. Vale uma vez, até ',
            'Point the phone’s camera at the code, or send the link to the driver only. It is valid once, until ',
          )}
          <TimeAgo at={expira_em} only="clock" />.
        </p>
        <p>
          {t('Código: ', 'Code: ')}
          <code>{codigo}</code>
        </p>
        <Copy text={link} label={t('Copiar link', 'Copy link')} />
      </div>
    </section>
  );
}
