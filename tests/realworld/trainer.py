#!/usr/bin/env python3
"""A transformers Trainer on a tiny random model with one fault: trainer.py FAULT. What each is: transformers.tsv."""
import os
import signal
import sys
import time

import torch
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainerCallback, TrainingArguments

AT = 6
RANK = int(os.environ.get("RANK", "0"))
FAULT = sys.argv[1]
OUT = "/mnt/job/shared/out"


class Lines(torch.utils.data.Dataset):
    def __len__(self):
        return 4 * 4 * 24

    def __getitem__(self, index):
        words = torch.randint(0, 100, (8,))
        if FAULT == "token-out-of-range" and RANK == 1 and index > 4 * 4 * AT:
            words[3] = 100_000
        if FAULT == "sample-without-label" and RANK == 3 and index > 4 * 4 * AT:
            return {"input_ids": words}
        return {"input_ids": words, "labels": torch.tensor(index % 2)}


class Fault(TrainerCallback):
    def on_step_end(self, args, state, control, **others):
        time.sleep(0.1)
        if state.global_step != AT:
            return
        if FAULT == "callback-raises" and RANK == 1:
            raise RuntimeError("the score service on port 8431 gave no answer")
        if FAULT == "callback-sleeps" and RANK == 2:
            self.ask_score_service()
        if FAULT == "killed" and RANK == 3:
            os.kill(os.getpid(), signal.SIGKILL)
        if FAULT == "loss-nan" and RANK == 0:
            check_loss(float("nan"))

    def ask_score_service(self):
        time.sleep(3600)


def check_loss(loss):
    if loss != loss:
        raise ValueError("loss is nan at step {}: lower the learning rate".format(AT))


def main():
    settings = {}
    if FAULT == "best-model-without-evaluation":
        settings = {"load_best_model_at_end": True, "save_strategy": "steps"}
    if FAULT == "output-is-a-file":
        os.makedirs(os.path.dirname(OUT), exist_ok=True)
        with open(OUT, "w", encoding="utf-8"):
            pass
        settings = {"save_steps": AT, "save_strategy": "steps"}
    arguments = TrainingArguments(**{
        "output_dir": OUT, "use_cpu": True, "ddp_backend": "gloo", "per_device_train_batch_size": 4,
        "num_train_epochs": 1, "logging_steps": 2, "save_strategy": "no", "report_to": [],
        "ddp_timeout": 3600 if FAULT == "callback-sleeps" else 20, "disable_tqdm": FAULT != "progress-bar", **settings})
    torch.manual_seed(0)
    model = BertForSequenceClassification(BertConfig(
        vocab_size=100, hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=64))
    trainer = Trainer(model=model, args=arguments, train_dataset=Lines(), callbacks=[Fault()])
    trainer.train(resume_from_checkpoint=OUT + "/checkpoint-400" if FAULT == "resume-missing" else None)


main()
