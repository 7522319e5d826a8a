import { describe, expect, it } from '@jest/globals';
import { problemOfDescription } from './debt-description.ts';

describe('the description of a debt', () => {
  it.each([
    'Mensalidade de outubro de 2026',
    'Parcela 3 de 10 do curso de inglês',
    'Consulta de 12/09/2026',
    'Corte de cabelo e barba',
    'Troca da suspensão do carro',
    'Visita técnica',
    'Medição de água de outubro',
    'Mensalidade do plano de saúde',
    'Aluguel, apto 12, ref. 09/2026 (R$ 1.200,00)',
  ])('may be %s', (text) => expect(problemOfDescription(text)).toBeNull());

  it.each([
    'Sessões de psicoterapia',
    'QUIMIOTERAPIA',
    'Exame de HIV',
    'Tratamento de canal',
    'Cirurgia plástica',
    'Consulta com psiquiatra',
    'Depressão (CID F32)',
    'Internação na UTI',
    'Consulta médica de 12/09/2026',
    'Consulta oftalmológica',
    'Tratamento de tuberculose',
    'Saúde mental: 4 encontros',
    'Insulina',
    'Lipoaspiração',
    'Aparelho auditivo',
  ])('names no health: %s', (text) => expect(problemOfDescription(text)).toBe('health_data'));

  it.each([
    'Pague ou vai para o Serasa',
    'Veja em https://golpe.example/pix',
    'Caloteiro, pague já',
    'Último aviso',
    'Bom dia {{nome}}',
    'Pro\u0441esso judicial',
  ])('is checked like a text of the client: %s', (text) => expect(problemOfDescription(text)).toBe('text_refused'));
});
