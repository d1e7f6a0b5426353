import { useMutation } from '@tanstack/react-query';
import { useWords } from '../../../shared/words.ts';
import { request } from '../api.ts';
import { ErrorBox } from '../ui/Loaded.tsx';

interface Demonstration {
  central: string;
  senha: string;
  pessoas: readonly {
    perfil: 'operador' | 'supervisor' | 'financeiro' | 'atendente' | 'consulta' | 'gerente' | 'condutor';
    usuario: string;
    nome: string | null;
  }[];
}

/** The people of the demonstration, which the server puts into the page. Null without a demonstration. */
function readDemonstration(): Demonstration | null {
  const text = document.getElementById('console')?.dataset.demonstration;
  return text ? (JSON.parse(text) as Demonstration) : null;
}

/** A login button for each person of the demonstration. The driver's button opens the driver's app. */
export function DemoPeople({
  isBusy,
  onChoose,
}: {
  isBusy: boolean;
  onChoose: (login: { central: string; usuario: string; senha: string }) => void;
}) {
  const t = useWords();
  const demonstration = readDemonstration();
  const drive = useMutation({
    mutationKey: ['session'],
    mutationFn: (body: object) => request('POST', '/entregador/sessao', body),
    onSuccess: () => location.assign('/entregador#sessao'),
  });
  if (!demonstration) return null;
  const { central, senha, pessoas } = demonstration;
  const words = {
    operador: {
      title: t('Operação da central', 'Dispatch desk'),
      hint: t('vê o dia, distribui e resolve', 'watches the day, assigns and resolves'),
    },
    supervisor: {
      title: t('Supervisão', 'Supervisor'),
      hint: t('também usuários, tarifas e configurações', 'users, tariffs and settings too'),
    },
    financeiro: {
      title: t('Financeiro', 'Finance'),
      hint: t('fechamentos, saldos e contas', 'closings, balances and accounts'),
    },
    atendente: {
      title: t('Atendimento', 'Attendant'),
      hint: t('faz e acompanha pedidos', 'places and follows orders'),
    },
    consulta: {
      title: t('Consulta', 'Read-only'),
      hint: t('vê tudo e não altera nada', 'sees everything, changes nothing'),
    },
    gerente: {
      title: t('Gerente de empresa', 'Company manager'),
      hint: t('pede entregas e acompanha as suas', 'orders deliveries and follows them'),
    },
    condutor: {
      title: t('Entregador', 'Driver'),
      hint: t('abre o aplicativo de quem entrega', 'opens the app of those who deliver'),
    },
  };
  return (
    <section className="demo-people" aria-labelledby="demo-people">
      <h2 id="demo-people">{t('Demonstração: entre como', 'Demonstration: log in as')}</h2>
      {pessoas.map(({ perfil, usuario, nome }) => (
        <button
          key={usuario}
          type="button"
          disabled={isBusy || drive.isPending}
          onClick={() => {
            const login = { central, usuario, senha };
            if (perfil === 'condutor')
              drive.mutate({ ...login, aparelho: t('Demonstração', 'Demonstration') });
            else onChoose(login);
          }}
        >
          <strong>{words[perfil].title}</strong>
          <span>{[nome, words[perfil].hint].filter(Boolean).join(': ')}</span>
        </button>
      ))}
      <ErrorBox error={drive.error} />
      <p className="hint">
        {t(
          'Pedidos chegam o tempo todo e entregadores simulados os levam. Nada disso é de verdade.',
          'Orders keep coming and simulated drivers carry them. None of it is real.',
        )}
      </p>
    </section>
  );
}
