import pytest
from rows import each

from grader.batch.cluster.arrays import Array
from grader.batch.cluster.slurm_settings import SlurmSettings, read_settings
from grader.errors import UsageError


def options(tmp_path, tasks=3, **settings):
    array = Array(tmp_path, tuple(f"s{index}" for index in range(tasks)))
    return SlurmSettings(**settings).write_options(array)


def test_one_gpu_and_one_core_are_the_default_and_a_percent_sign_in_the_path_is_no_pattern(tmp_path):
    given = options(tmp_path)
    assert {"--gres=gpu:1", "--cpus-per-task=1", "--array=0-2", "--no-requeue"} <= set(given)
    assert not any(option.startswith(("--partition", "--account", "--time")) for option in given)
    folder = tmp_path / "100%a"
    assert f"--output={tmp_path}/100%%a/logs/%a.txt" in options(folder)


def test_each_setting_becomes_an_option_and_nodes_without_a_gpu_are_not_asked_for_one(tmp_path):
    given = options(
        tmp_path, partition="p", account="a", qos="q", constraint="h200", time="01:00:00", mem="8G", extra="-x 'n 1'"
    )
    expected = {"--partition=p", "--account=a", "--qos=q", "--constraint=h200", "--time=01:00:00", "--mem=8G"}
    assert expected <= set(given)
    assert given[-2:] == ["-x", "n 1"]
    assert not any("gres" in option for option in options(tmp_path, gres=""))
    assert "--array=0-2%10" in options(tmp_path, width=10)


def test_settings_come_from_words_and_files_and_the_last_one_counts_and_those_of_earlier_versions_are_read(tmp_path):
    file = tmp_path / "slurm.toml"
    file.write_text('[slurm]\npartition = "gpu"\nwidth = 20\ncpus = 2\n')
    settings = read_settings([str(file), "cpus=4", "on_stop=leave"])
    assert (settings.partition, settings.width, settings.cpus, settings.on_stop) == ("gpu", 20, 4, "leave")
    file.write_text('[slurm]\npartition = "gpu"\nsilence_s = 50.0\npatience_s = 1800.0\n')
    assert read_settings([str(file)]) == SlurmSettings(partition="gpu")


@each(
    "words, sentence",
    [
        (["partitoin=gpu"], "there is no Slurm setting 'partitoin': use one of partition, account"),
        (["width=many"], "impossible value"),
        (["on_stop=explode"], "impossible value"),
        (["extra='open"], "impossible value"),
        (["nowhere.toml"], "the Slurm settings nowhere.toml cannot be read"),
    ],
)
def test_what_is_wrong_is_one_sentence(words, sentence):
    with pytest.raises(UsageError, match=sentence):
        read_settings(words)


@pytest.mark.parametrize("text", ["slurm = 3", "partition = 'gpu'", "[slurm"])
def test_a_file_without_the_table_is_refused(tmp_path, text):
    (tmp_path / "slurm.toml").write_text(text)
    with pytest.raises(UsageError, match=r"slurm\.toml"):
        read_settings([str(tmp_path / "slurm.toml")])
