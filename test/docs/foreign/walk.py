"""Goes from the sign-up to the receipt with the client that openapi-python-client has generated. Prints one line of JSON."""

import json
import os
import time
from datetime import date

from quita_client import AuthenticatedClient, Client
from quita_client.api.authentication import log_in
from quita_client.api.campaigns import create_campaign, launch_campaign
from quita_client.api.debts import get_debt, list_debts
from quita_client.api.events import list_events
from quita_client.api.import_ import import_json
from quita_client.api.onboarding import change_account, sign_up
from quita_client.api.receipts import download_receipt, request_receipt
from quita_client.models import (
    ChangeAccountBody,
    CreateCampaignBody,
    ImportJsonBody,
    LaunchCampaignSandbox,
    LogInBody,
    SignUpBody,
)

url = os.environ["QUITA_URL"]
email, password = "financeiro@python-aurora.com.br", "Segredo123"
anonymous = Client(base_url=url, raise_on_unexpected_status=True)

account = sign_up.sync(
    client=anonymous,
    body=SignUpBody(name="Escola Aurora Ltda", email=email, password=password, cnpj="11.222.333/0001-81"),
)
session = log_in.sync(client=anonymous, body=LogInBody(email=email, password=password))
client = AuthenticatedClient(base_url=url, token=session.token, raise_on_unexpected_status=True)
address = {
    "street": "Rua Augusta",
    "number": "100",
    "district": "Consolação",
    "city": "São Paulo",
    "state": "SP",
    "postalCode": "01305000",
}
change_account.sync(client=client, body=ChangeAccountBody.from_dict({"address": address}))
campaign = create_campaign.sync(client=client, body=CreateCampaignBody(name="Mensalidades"))
debt_input = {
    "debtorName": "Ana Souza Lima",
    "debtorPhone": "11987650001",
    "debtorCpf": "52998224725",
    "originalAmount": float(os.environ["AMOUNT"]),
    "dueDate": str(date(2026, 9, 10)),
    "invoiceId": "NF-1",
}
imported = import_json.sync(
    campaign.id,
    client=client,
    body=ImportJsonBody.from_dict({"clientId": str(account.id), "debts": [debt_input]}),
)
launch_campaign.sync(campaign.id, client=client, sandbox=LaunchCampaignSandbox.TRUE)
debt_id = list_debts.sync(campaign.id, client=client).items[0].id
deadline = time.monotonic() + 600
while (debt := get_debt.sync(debt_id, client=client)).status != "PAID" and time.monotonic() < deadline:
    time.sleep(0.25)
receipt = request_receipt.sync(debt_id, client=client)
signature = receipt.url.split("sig=")[1]
document = download_receipt.sync(receipt.protocol, client=client, sig=signature)
events = list_events.sync(client=client).items
approved = [event for event in events if event.type_ == "payment.approved"]
print(
    json.dumps(
        {
            "imported": imported.imported,
            "status": str(debt.status),
            "amount": debt.original_amount,
            "document": document.payload.read(5).decode(),
            "events": sorted({event.type_ for event in events}),
            "approved": [[event.data.amount, event.data.invoice_id] for event in approved],
        }
    )
)
