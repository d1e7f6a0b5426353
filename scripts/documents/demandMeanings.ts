import type { Meaning } from './meaning.ts';

/** What the fields of 4.33 mean, as in `fieldMeanings.ts`. */
export const demandMeanings: Readonly<Record<string, Meaning>> = {
  exigencias: [
    'demands (4.33); left out where nothing is demanded',
    'exigências (4.33); ausente se não há nenhuma',
  ],
  pronto_em: ['when everything is ready at the pickup', 'quando tudo está pronto na partida'],
  minutos_coleta: [
    'how long the driver is at the pickup; without it, the usual time',
    'quanto o condutor demora na partida; sem ele, o de costume',
  ],
  equipamentos: [
    'what the driver needs: thermal bag, box or thermal box; a thermal box serves as the other two as well',
    'de que o condutor precisa; um baú térmico serve também dos outros dois',
  ],
  prioridade: ['0 is the normal one', '0 é a normal'],
  entregar_de: ['nobody receives it before', 'ninguém recebe antes'],
  entregar_ate: [
    "promised to the recipient, in place of the central's own promise",
    'prometido ao destinatário, no lugar da promessa da central',
  ],
  janela_obrigatoria: [
    'outside of `entregar_de` and `entregar_ate` nobody receives it; false when left out',
    'fora de `entregar_de` e `entregar_ate` ninguém recebe; false se não for informado',
  ],
  minutos_parada: [
    'how long the driver is at the stop; without it, the usual time',
    'quanto o condutor demora na parada; sem ele, o de costume',
  ],
  peso_kg: ['weight in kilograms, with up to 3 decimals', 'peso em quilos, com até 3 casas decimais'],
  volume_litros: ['volume in litres, with up to 3 decimals', 'volume em litros, com até 3 casas decimais'],
  pacotes: ['number of packages', 'número de pacotes'],
};
